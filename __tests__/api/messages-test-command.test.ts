import { freshDatabase } from "@/__tests__/support/database";
import { type MailServer, refusal, startMailServer } from "@/__tests__/support/mail-server";
import { startSmsGateway } from "@/__tests__/support/sms-gateway";
import { until } from "@/__tests__/support/until";
import { describeError, sendTest } from "@/lib/cli/messages/test-message";
import { requireRecipient } from "@/lib/cli/shared/options";
import { startWorker } from "@/lib/server/delivery/worker";

const { sql, appUrl, insertMessages } = freshDatabase();

/** Shortens the wait for an unreachable provider from ten seconds to one. */
jest.mock("@/lib/server/outbox/outcome", () => ({
  ...jest.requireActual("@/lib/server/outbox/outcome"),
  outagePauseSeconds: 1,
}));

let mail: MailServer;
let gateway: Awaited<ReturnType<typeof startSmsGateway>>;
let worker: ReturnType<typeof startWorker>;
beforeAll(async () => {
  mail = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: (_, __, callback) => callback(refusal(535, "5.7.8 Wrong password for wattle")),
  });
  gateway = await startSmsGateway();
  gateway.respondWith({ status: 401, body: "no account of wattle@mail.example" });
  Object.assign(process.env, {
    SMTP_URL: mail.url.replace("//", "//wattle:wrong@"),
    SMS_PROVIDER: "generic",
    SMS_URL: `${gateway.url}/sms`,
    SMS_FROM: "Wattle",
    SANDBOX_RECIPIENTS: "*",
  });
  worker = startWorker(appUrl, { spacingMs: 0 });
});
afterAll(() => worker.stop());
/** One transaction, repeated where the worker has just claimed a message. */
const deleteMessages = () => sql("DELETE FROM message_attempts; DELETE FROM messages").then(() => true);
afterEach(() => until(() => deleteMessages().catch(() => false)));

/** The error with which the command explains why it could not send a test message. */
const failure = (to: string, timeoutMs?: number): Promise<string> =>
  sendTest(requireRecipient(to), "Vera", timeoutMs).then(
    () => "It was sent.",
    ({ message }) => message,
  );

test("with a wrong password, the error has the code of the mail server's reply and none of its text", async () => {
  const error = await failure("alex@example.com");
  expect(error).toContain("535: the mail server refused the user name or password.");
  expect(error).not.toMatch(/Wrong|wattle|alex/);
});

test("with a refused SMS, the error has the status of the gateway's response", async () => {
  const error = await failure("0412 345 678");
  expect(error).toContain("HTTP 401: the SMS provider refused the account or its secret.");
  expect(error).not.toMatch(/wattle|412/);
});

test("for a country that is not in SMS_COUNTRIES, the error says that the message failed", async () => {
  expect(await failure("+1 555 010 0123")).toMatch(/^Message \d+ failed: /);
});

test("behind messages that wait for the same provider, the error says why they wait", async () => {
  await insertMessages(50);
  await until(async () => (await sql(`SELECT FROM message_attempts WHERE "endedAt" IS NOT NULL`)).length > 0);
  expect(await failure("alex@example.com", 1000)).toContain(
    "is still waiting, because sending does not work at the moment. 535: the mail server refused the user name or password.",
  );
});

test("if mail server and gateway refuse connections, the error says so for both", async () => {
  await mail.stop();
  await gateway.stop();
  const [email, text] = await Promise.all([failure("alex@example.com"), failure("0412 345 678")]);
  expect(email).toContain("ECONNREFUSED: nothing is listening at the address of the mail server.");
  expect(text).toContain("ECONNREFUSED: nothing is listening at the address of the SMS provider.");
});

test("without a worker the error asks the user to start one", async () => {
  await worker.stop();
  expect(await failure("alex@example.com", 1000)).toContain(
    "is the app running with WORKER=on, or is 'npm run worker' running?",
  );
});

const noCredit = "HTTP 402 INSUFFICIENT_CREDIT";

test.each([
  ["email", "550 5.1.1", "550: the mail server does not accept mail for this address"],
  ["email", "451 4.7.1", "451: the mail server asks to try again later"],
  ["email", "ENOTFOUND", "ENOTFOUND: the host name of the mail server was not found"],
  ["email", "EAUTH", "EAUTH: the mail server refused the user name or password"],
  ["email", "ETIMEDOUT", "ETIMEDOUT: the mail server does not answer"],
  ["email", "CERT_HAS_EXPIRED", "CERT_HAS_EXPIRED: the certificate of the mail server was not accepted"],
  ["sms", "UND_ERR_CONNECT_TIMEOUT", "UND_ERR_CONNECT_TIMEOUT: the SMS provider does not answer"],
  ["sms", noCredit, `${noCredit}: the account with the SMS provider has no credit`],
  ["sms", "HTTP 400 21211", "HTTP 400 21211: the SMS provider refused the message"],
  ["sms", "HTTP 503", "HTTP 503: the SMS provider failed or is overloaded"],
  ["email", "not in SANDBOX_RECIPIENTS", "not in SANDBOX_RECIPIENTS"],
] as const)("on the channel %s, the error %s is described as '%s'", (channel, error, words) => {
  expect(describeError(channel, error)).toBe(words);
});
