import { verify } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { guess } from "@/__tests__/support/guess";
import { invited } from "@/__tests__/support/invited";
import { lines, logged } from "@/__tests__/support/log-lines";
import { post } from "@/__tests__/support/post";
import { withSettings } from "@/__tests__/support/with-settings";
import { networkOf, parseAddress, widerNetworkOf } from "@/lib/server/http/client-address";

process.env.LOG_LEVEL = "warn";
const { sql } = freshDatabase();

jest.mock("pino", () => require("@/__tests__/support/log-lines").pinoMock);

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["203.0.113.7:50123", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["::FFFF:cb00:7107", "203.0.113.7"],
  ["[::ffff:203.0.113.7]:443", "203.0.113.7"],
  ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
  ["[2001:db8::1]", "2001:db8::1"],
  ["[2001:db8::1]:50123", "2001:db8::1"],
  ["fe80::1%eth0", "fe80::1"],
  ["::1", "::1"],
  ["64:ff9b::ffff:203.0.113.7", "64:ff9b::ffff:cb00:7107"],
  ["::ffff:cb00:7107:1", "::ffff:cb00:7107:1"],
  ["::", "::"],
])("%s is the address %s", (text, address) => {
  expect(parseAddress(text)).toBe(address);
});

test.each([
  ...["", "unknown", "_hidden", "203.0.113", "203.0.113.256", "203.0.113.7:", "203.0.113.7:http", "[203.0.113.7"],
  ...["2001:db8::1::2", "<script>", "x".repeat(5000)],
])("'%.20s' is not an address", (text) => {
  expect(parseAddress(text)).toBe("");
});

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::", "2001:db8:1:2::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::1:2:3:4:5:6", "0:0:1:2::/64"],
  ["1::2:3:4:5:6", "1:0:0:2::/64"],
])("limits count %s as %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test("a provider's IPv6 /48 is counted too; IPv4 has no such network", () => {
  expect(widerNetworkOf("2001:db8:1:2::1")).toBe("2001:db8:1::/48");
  expect(widerNetworkOf("203.0.113.7")).toBeNull();
});

test("the addresses of one /64 are counted as one client, which cannot use up the limit of its /48", async () => {
  const headers = Array.from({ length: 100 }, (_, n) => ({ "x-forwarded-for": `2001:db8:5:6:${n}::${n + 1}` }));
  expect((await guess(headers)).filter((status) => status === 429)).toHaveLength(80);
  expect(await guess([{ "x-forwarded-for": "2001:db8:5:7::1" }])).toEqual([401]);
});

test("the networks of one /48 are counted as one client, at four times the limit", async () => {
  const headers = Array.from({ length: 90 }, (_, n) => ({ "x-forwarded-for": `2001:db8:48:${n.toString(16)}::1` }));
  const statuses = await guess(headers);
  expect([statuses.slice(0, 80), statuses.slice(80)].map((group) => [...new Set(group)])).toEqual([[401], [429]]);
  expect(await guess([{ "x-forwarded-for": "2001:db8:49::1" }])).toEqual([401]);
});

test("an invalid address is not stored", async () => {
  const { token, id } = await invited();
  await post(verify, { token }, { headers: { "x-forwarded-for": "<b>unknown</b>" } });
  const [event] = await sql<{ address: string }>(
    `SELECT address FROM events WHERE "applicationId" = $1 AND kind = 'link_opened'`,
    [id],
  );
  expect(event).toEqual({ address: "" });
});

test("the log warns once if a proxy in front drops what the one before it has written", async () => {
  lines.length = 0;
  // The last entry is the address of the socket.
  const callFrom = (forwarded: string) => post(verify, { token: "x" }, { headers: { "x-forwarded-for": forwarded } });
  await withSettings({ TRUSTED_PROXIES: 2 }, async () => {
    await callFrom("203.0.113.7, 198.51.100.1, 127.0.0.1");
    expect(logged()).toEqual([]);
    for (let n = 0; n < 2; n += 1) await callFrom("198.51.100.1, 127.0.0.1");
  });
  const problem = "X-Forwarded-For has fewer entries than TRUSTED_PROXIES";
  expect(logged()).toEqual([{ level: 40, time: expect.any(String), problem, forwarded: 1, trusted: 2 }]);
});
