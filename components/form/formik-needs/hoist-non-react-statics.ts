/** Only Formik's higher-order components hoist anything, and the form has none of them. */
export default function hoistNonReactStatics<Component>(component: Component): Component {
  return component;
}
