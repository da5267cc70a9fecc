const folder = "components/form/formik-needs";

/** Replacements for what Formik imports, reduced to what this form uses (docs/decisions/formik-needs.md). */
const files = {
  deepmerge: "deep-merge.ts",
  "hoist-non-react-statics": "hoist-non-react-statics.ts",
  "lodash-es/clone": "clone.ts",
  "lodash-es/cloneDeep": "clone-deep.ts",
  "lodash-es/isPlainObject": "is-plain-object.ts",
  "lodash-es/toPath": "to-path.ts",
  "react-fast-compare": "is-equal.ts",
  "tiny-warning": "no-warning.ts",
};

export const turbopackAliases = Object.fromEntries(
  Object.entries(files).map(([name, file]) => [name, `./${folder}/${file}`]),
);

/** Jest loads Formik's CommonJS build, which imports lodash instead of lodash-es. */
export const jestAliases = Object.fromEntries(
  Object.entries(files).map(([name, file]) => [
    `^${name.replace("lodash-es", "lodash")}$`,
    `<rootDir>/${folder}/${file}`,
  ]),
);
