/**
 * The product's own finishing of the build (lib/server/files), imported from there: the compile line, Brotli copies and the
 * rules that send them, but for the product's note that there is a copy. Here every file that is asked for has one.
 */
async function finishing(folder) {
  const { finishChunks } = await import(`${folder}/finish-chunks.mjs`);
  const { brotliHeaders, brotliRewrite, copyHeader } = await import(`${folder}/brotli-rules.mjs`);
  const withoutNote = (rule) => ({ ...rule, has: rule.has.filter(({ key }) => key !== copyHeader) });
  return {
    compiler: { runAfterProductionCompile: finishChunks },
    headers: async () => brotliHeaders.map(withoutNote),
    rewrites: async () => ({ beforeFiles: [withoutNote(brotliRewrite)] }),
  };
}

const { FINISHED_BY } = process.env;

/** The bench's empty app. Its node_modules is a link to the project's, so Turbopack's root has to contain both. */
export default {
  poweredByHeader: false,
  turbopack: { root: "/" },
  ...(FINISHED_BY && (await finishing(FINISHED_BY))),
};
