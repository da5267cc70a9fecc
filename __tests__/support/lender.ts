/** The names without which an address elsewhere is not served. */
export const lender = {
  BRAND_NAME: "Banksia",
  BRAND_LEGAL_NAME: "Banksia Lending Pty Ltd",
  BRAND_COMPANY_NUMBER: "ACN 111 111 111",
  BRAND_LICENCE: "Australian credit licence 111111",
  BRAND_PRODUCT: "RentNow",
};
