/** The floor of the bench: the same Next, and nothing in it. Its packages are the project's, by a link that leads out of its folder. */
export default { poweredByHeader: false, turbopack: { root: "/" } };
