/** A room whose own tests are quick enough for each change of it, and have to notice nearly every one (__tests__/mutants). */
export interface Room {
  name: string;
  /** Its files. */
  files: RegExp;
  /** The same for Stryker. */
  mutate: string;
  /** At least so many percent of its mutants have to be noticed. */
  least: number;
  /** The project of jest.config.mjs. */
  project: "node" | "api" | "components";
  /** In __tests__, without '.test.ts'. */
  tests: string[];
}

const ofTheServer = (name: string, tests: string[]): Room => ({
  name,
  files: new RegExp(`^lib/server/${name}/`),
  mutate: `lib/server/${name}/**/*.ts`,
  least: 90,
  project: "api",
  tests: tests.map((test) => `api/${test}`),
});

const ofRules = (name: string): Room => ({
  name,
  files: new RegExp(`^lib/${name}/`),
  mutate: `lib/${name}/**/*.ts`,
  least: 97,
  project: "node",
  tests: [`${name}/*`],
});

export const rooms: Room[] = [
  ofRules("domain"),
  ofRules("schemas"),
  {
    name: "form",
    files: /^components\/form\/form-machine\.ts$/,
    mutate: "components/form/form-machine.ts",
    least: 90,
    project: "components",
    tests: ["components/form-machine"],
  },
  ofTheServer("access", ["link-address", "verify-token"]),
  ofTheServer("applications", [
    ...["save-step", "submit", "submit-final", "reviewed", "verify-token", "verify-consents"],
    ...["erasure", "export", "applications-command", "person", "set-status"],
  ]),
];
