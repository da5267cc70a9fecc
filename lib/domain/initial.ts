/** What stands in for a logo: the first letter of the lender's name. */
export function initialOf(name: string): string {
  return Array.from(name.trim().normalize("NFC"))[0]?.toUpperCase() ?? "";
}
