import { answers } from "@/lib/domain/application";

const declared = answers.agencyName;
const options = { harbour: "Harbour Homes Pty Ltd", quay: "Quay Lettings" };

/** No answer of the specification is a choice, so the tests of a file or of a describe block turn the agency into one. */
export function declareChoice(): void {
  beforeAll(() => Object.assign(answers, { agencyName: { ...declared, kind: "choice", options } }));
  afterAll(() => Object.assign(answers, { agencyName: declared }));
}
