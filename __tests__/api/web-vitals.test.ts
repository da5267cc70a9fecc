import { register } from "prom-client";
import { freshDatabase } from "@/__tests__/support/database";
import { post } from "@/__tests__/support/post";
import { POST } from "@/app/api/vitals/route";
import { currentSettings, readSettings, replaceSettings } from "@/lib/server/settings";

freshDatabase();

const initialSettings = currentSettings();
afterEach(() => {
  replaceSettings(initialSettings);
  register.resetMetrics();
});

const beacon = {
  source: "ba",
  vitals: [
    { name: "LCP", page: "/", value: 1234 },
    { name: "INP", page: "/home", value: 64 },
    { name: "CLS", page: "/", value: 0.02 },
  ],
};

/** The sum lines of the three histograms. */
async function sums(): Promise<string[]> {
  const lines = (await register.metrics()).split("\n");
  return lines.filter((line) => /^rent_advance_(largest|interaction|cumulative).*_sum/.test(line));
}

test("without METRICS_PORT the call does not exist", async () => {
  expect((await post(POST, beacon)).status).toBe(404);
});

describe("with METRICS_PORT", () => {
  beforeEach(() => replaceSettings(readSettings({ ...process.env, METRICS_PORT: "9464" })));

  test("a beacon is added to the metrics by page and source", async () => {
    expect((await post(POST, beacon)).status).toBe(200);
    await post(POST, beacon);
    expect(await sums()).toEqual([
      'rent_advance_largest_contentful_paint_seconds_sum{page="/",source="ba"} 2.468',
      'rent_advance_interaction_to_next_paint_seconds_sum{page="/home",source="ba"} 0.128',
      'rent_advance_cumulative_layout_shift_sum{page="/",source="ba"} 0.04',
    ]);
  });

  test("unknown names from a browser create no series", async () => {
    const vitals = [{ name: "CLS", page: "/Ada-Lovelace", value: 0.5 }];
    await post(POST, { source: "ada@example.com", vitals });
    expect(await sums()).toEqual(['rent_advance_cumulative_layout_shift_sum{page="other",source="other"} 0.5']);
  });

  test.each([
    ["a name", { ...beacon, name: "Ada" }],
    ["another figure", { ...beacon, vitals: [{ name: "FCP", page: "/", value: 1 }] }],
    ["a negative figure", { ...beacon, vitals: [{ name: "LCP", page: "/", value: -1 }] }],
    ["too many figures", { ...beacon, vitals: [...beacon.vitals, ...beacon.vitals] }],
    ["none at all", {}],
  ])("a beacon with %s is refused, and counts nothing", async (_, body) => {
    expect((await post(POST, body)).status).toBe(422);
    expect(await sums()).toEqual([]);
  });

  test("a network is limited, and a beacon beyond the limit counts nothing", async () => {
    const headers = { "x-forwarded-for": "198.51.100.78" };
    const statuses: number[] = [];
    for (let n = 0; n < 601; n += 1) statuses.push((await post(POST, {}, { headers })).status);
    expect([statuses.indexOf(429), (await post(POST, beacon, { headers })).status]).toEqual([600, 429]);
    expect(await sums()).toEqual([]);
  });

  test("another site cannot report", async () => {
    const headers = { "sec-fetch-site": "cross-site" };
    expect((await post(POST, beacon, { headers })).status).toBe(403);
    expect(await sums()).toEqual([]);
  });
});
