// The package types its index alone; single files keep the other 250 flags out of the page.
declare module "country-flag-icons/string/3x2/*" {
  const drawing: string;
  export default drawing;
}
