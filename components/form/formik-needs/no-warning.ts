/** Formik warns of ways to use it that the compiler refuses here. */
export default function noWarning(): void {}
