/** The names that the app requires when APP_URL is not this machine. */
export const lender = {
  BRAND_NAME: "Banksia",
  BRAND_LEGAL_NAME: "Banksia Lending Pty Ltd",
  BRAND_COMPANY_NUMBER: "ACN 111 111 111",
  BRAND_LICENCE: "Australian credit licence 111111",
  BRAND_PRODUCT: "RentNow",
};

/** Every BRAND_ setting of another lender. Each differs from its default. */
export const otherLender = {
  ...lender,
  BRAND_LOGO_FILE: "__tests__/support/logo.svg",
  BRAND_REGISTER_URL: "https://register.example/111111",
  BRAND_LEGAL_URL: "https://banksia.example/legal",
  BRAND_PRIVACY_URL: "https://banksia.example/privacy",
  BRAND_SUPPORT_EMAIL: "help@banksia.example",
  BRAND_SUPPORT_PHONE: "1800 111 111",
  BRAND_SUPPORT_HOURS: "Every day, 8am to 8pm",
  BRAND_PROCESSING_TIME: "2 working days",
  BRAND_COMPLAINTS: "complaints@banksia.example",
  BRAND_COST_NOTE: "It costs 1% a month.",
  BRAND_LOCALE: "en-AU",
  BRAND_CURRENCY: "AUD",
  BRAND_TIME_ZONE: "Australia/Perth",
};

/** Matches text that belongs only to the fictitious lender of the defaults. */
export const fictitious = /wattle|rentahead|000 000|9am to 5pm|how long you take to repay|within 24 h/i;
