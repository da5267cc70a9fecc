/** The bench's empty app. Its node_modules is a link to the project's, so Turbopack's root has to contain both. */
export default { poweredByHeader: false, turbopack: { root: "/" } };
