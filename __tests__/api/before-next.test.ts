import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { landlord, wholeApplication } from "@/__tests__/support/answers";
import { submitWhole } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { post } from "@/__tests__/support/post";
import { callRoutes } from "@/app/api/v1/user/call-routes";
import { prepareRequests } from "@/lib/server/http/request-start";

freshDatabase();
prepareRequests(callRoutes);
/** What Next has seen. */
const paths: string[] = [];
const server = createServer(({ url = "" }, response) => {
  paths.push(url);
  response.end("Next");
});
beforeAll(() => new Promise<void>((done) => server.listen(0, "127.0.0.1", done)));
afterAll(() => server.close());

const portOf = () => (server.address() as AddressInfo).port;
const verify = "/api/v1/user/verify-token";

interface Sent {
  path?: string;
  method?: string;
  headers?: OutgoingHttpHeaders;
}

async function send(body: unknown, { path = verify, method = "POST", headers }: Sent = {}) {
  const text = JSON.stringify(body);
  const length = headers?.["transfer-encoding"] ? {} : { "content-length": Buffer.byteLength(text) };
  const sent = request({
    agent: false,
    port: portOf(),
    path,
    method,
    headers: { "content-type": "application/json", ...length, ...headers },
  });
  sent.end(text);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) };
}

/** The whole answer to these bytes, once the connection has ended. */
async function sendRaw(...parts: string[]): Promise<string> {
  const socket = connect(portOf(), "127.0.0.1");
  for (const part of parts) socket.write(part);
  return String(await buffer(socket));
}

test("each call on an application is answered without Next, with the headers of every answer", async () => {
  const { token } = await invited();
  const calls = readdirSync("app/api/v1/user").filter((name) => !/^fresh-link$|\.ts$/.test(name));
  expect(calls).toHaveLength(callRoutes.size);
  for (const call of calls) {
    const { headers, body } = await send({ token }, { path: `/api/v1/user/${call}` });
    expect(JSON.parse(String(body))).toHaveProperty("success");
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-request-id": expect.any(String),
    });
  }
});

test("a save is kept, and read back", async () => {
  const { token } = await invited();
  const saved = await send({ token, data: landlord }, { path: "/api/v1/user/submit-step-1" });
  expect(saved.status).toBe(200);
  const { data } = JSON.parse(String((await send({ token })).body));
  expect(data).toMatchObject(landlord);
});

test.each<[string, Sent]>([
  ["another path", { path: "/api/v1/user/fresh-link" }],
  ["a path with a question mark", { path: `${verify}?again` }],
  ["another method", { method: "PUT" }],
  ["a body longer than a call takes", { headers: { "content-length": 32 * 1024 + 1 } }],
  ["a body that does not say its length", { headers: { "transfer-encoding": "chunked" } }],
])("%s is left to Next", async (_, sent) => {
  expect(String((await send({}, sent)).body)).toBe("Next");
});

test("a browser gets a long answer by gzip, and one that refuses gzip gets it plain", async () => {
  const { token } = await invited();
  await post(submitWhole, { token, data: wholeApplication });
  const plain = await send({ token });
  const zipped = await send({ token }, { headers: { "accept-encoding": "gzip, deflate, br" } });
  expect(zipped.headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
  expect(gunzipSync(zipped.body)).toEqual(plain.body);
  const refused = await send({ token }, { headers: { "accept-encoding": "gzip;q=0" } });
  expect(refused.headers).not.toHaveProperty("content-encoding");
});

test("a body that is cut off does no harm to the next call", async () => {
  const socket = connect(portOf(), "127.0.0.1");
  socket.write(
    `POST ${verify} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"tok`,
  );
  await new Promise((sent) => setTimeout(sent, 50));
  socket.destroy();
  expect((await send({ token: "nobody's" })).status).toBe(401);
});

test("a body that nobody reads is not taken for the next request, which is answered", async () => {
  const refused = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n".repeat(800);
  const head = `POST ${verify} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: ${refused.length}\r\n`;
  const answers = await sendRaw(`${head}\r\n`, refused, `${head}Connection: close\r\n\r\n`, refused);
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 415", "HTTP/1.1 415"]);
});

test("a target with scheme and host is the same as its path", async () => {
  const asked = (path: string) => sendRaw(`GET ${path} HTTP/1.1\r\nHost: apply.example\r\nConnection: close\r\n\r\n`);
  const withoutOwn = (answer: string) => answer.replace(/^(Date|x-request-id|x-response-number): .*\r\n/gim, "");
  for (const path of ["/", "/home?utm_source=a"])
    expect(withoutOwn(await asked(`http://evil.example${path}`))).toBe(withoutOwn(await asked(path)));
  const { status, body } = await send({ token: "wrong" }, { path: `http://evil.example${verify}` });
  expect([status, JSON.parse(String(body))]).toMatchObject([401, { success: false }]);
  expect(paths).toEqual(expect.arrayContaining(["/", "/home?utm_source=a"]));
  expect(paths.join()).not.toContain("evil");
});
