/** What somebody types in another terminal to see the demo send something. */
export const invitationCommand =
  "npm run invite -- --mobile 61412345678 --email alex@example.com --first-name Alex --source ba --send";
