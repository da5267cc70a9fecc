import { object, string } from "./zod";

const text = () => string("must be a text");

/** What a submission says its screen has shown. */
export const reviewedSchema = object({ answers: text(), consent: text() });
