/** Formik calls it only in its higher-order components, which the form does not use. */
export default function hoistNonReactStatics<Component>(component: Component): Component {
  return component;
}
