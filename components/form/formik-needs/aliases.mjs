const folder = "components/form/formik-needs";

/** What Formik asks of others, as far as this form asks it of Formik: those bring an eighth of the form's scripts. */
const files = {
  "hoist-non-react-statics": "hoist-non-react-statics.ts",
  "lodash-es/clone": "clone.ts",
  "lodash-es/cloneDeep": "clone-deep.ts",
  "lodash-es/isPlainObject": "is-plain-object.ts",
  "lodash-es/toPath": "to-path.ts",
};

export const turbopackAliases = Object.fromEntries(
  Object.entries(files).map(([name, file]) => [name, `./${folder}/${file}`]),
);

/** Jest takes Formik's CommonJS build, which asks for lodash where its ES modules ask for lodash-es. */
export const jestAliases = Object.fromEntries(
  Object.entries(files).map(([name, file]) => [
    `^${name.replace("lodash-es", "lodash")}$`,
    `<rootDir>/${folder}/${file}`,
  ]),
);
