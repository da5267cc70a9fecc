/** node_modules and the Prisma client are symbolic links into the project, so Turbopack's root has to contain both. */
export default {
  poweredByHeader: false,
  turbopack: { root: "/" },
  serverExternalPackages: ["pg", "@prisma/adapter-pg", "@prisma/client"],
};
