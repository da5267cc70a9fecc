/** node_modules and the Prisma client are links to the project's, so Turbopack's root has to contain both. */
export default {
  poweredByHeader: false,
  turbopack: { root: "/" },
  serverExternalPackages: ["pg", "@prisma/adapter-pg", "@prisma/client"],
};
