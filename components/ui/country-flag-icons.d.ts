// The package has types for its index only. We import single files, which keeps 250 other flags out of the bundle.
declare module "country-flag-icons/string/3x2/*" {
  const drawing: string;
  export default drawing;
}
