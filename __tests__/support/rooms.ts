/** A room whose own tests are quick enough for each change of it, and have to notice nearly every one (__tests__/mutants). */
export interface Room {
  name: string;
  /** Its files. */
  files: RegExp;
  /** The same for Stryker; a pattern that begins with '!' excludes files. */
  mutate: string[];
  /** At least so many percent of its mutants have to be noticed. */
  least: number;
  /** The project of jest.config.mjs. */
  project: "node" | "api" | "components";
  /** In __tests__, without '.test.ts'. */
  tests: string[];
  /** After so many seconds a test has failed: many times what each of them takes. */
  testSeconds?: number;
}

/** A folder of lib/server. */
const ofTheServer = (name: string, tests: string[], folder = name): Room => ({
  name,
  files: new RegExp(`^lib/server/${folder}/`),
  mutate: [`lib/server/${folder}/**/*.ts`],
  least: 90,
  project: "api",
  tests: tests.map((test) => `api/${test}`),
});

/** Its tests start no process and wait for no time to pass, so that one that takes so long waits for ever. */
const ofQuickTests = (name: string, tests: string[], folder = name): Room => ({
  ...ofTheServer(name, tests, folder),
  testSeconds: 30,
});

const ofRules = (name: string): Room => ({
  name,
  files: new RegExp(`^lib/${name}/`),
  mutate: [`lib/${name}/**/*.ts`],
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
    mutate: ["components/form/form-machine.ts"],
    least: 90,
    project: "components",
    tests: ["components/form-machine"],
  },
  ofTheServer("access", ["link-address", "verify-token"]),
  ofTheServer("applications", [
    ...["save-step", "submit", "submit-final", "reviewed", "verify-token", "verify-consents"],
    ...["erasure", "export", "applications-command", "person", "set-status"],
  ]),
  ofQuickTests("outbox", ["messages-due", "outbox"]),
  ofQuickTests("invitations", [
    ...["links", "taken-reference", "written-phone", "invitation-fields", "reissue-batch", "same-list"],
  ]),
  {
    ...ofQuickTests("messages", [
      ...["messages-outage-told", "messages-judged", "messages-listed", "stop", "send-webhook", "messages-delivered"],
      ...["messages-claimed", "messages-concurrent", "fresh-link", "messages-worker", "messages-unfinished"],
    ]),
    files: /^lib\/server\/messages\/[^/]+$/,
    mutate: ["lib/server/messages/*.ts"],
  },
  ofQuickTests("sms", ["sms-report", "sms", "sms-request"], "messages/sms"),
  ofQuickTests("email", ["email-outcomes", "dkim", "send-email"], "messages/email"),
  {
    ...ofQuickTests("webhooks", ["send-webhook"], "messages/webhooks"),
    mutate: ["lib/server/messages/webhooks/!(deliveries|replay).ts"],
  },
  ofQuickTests("templates", ["email-templates", "template-versions"], "messages/templates"),
  {
    ...ofQuickTests("calls", [
      ...["logs", "call-answers", "client-address", "envelope", "arrival", "limits", "metrics", "ready"],
    ]),
    mutate: ["lib/server/http/*.ts"],
  },
];
