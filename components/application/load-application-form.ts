/** The form as its own file, which no other screen runs; the landing fetches it ahead. */
export const loadApplicationForm = () => import("./application-form");
