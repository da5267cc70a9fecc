import type { Browser } from "@playwright/test";
import { median } from "@/__tests__/support/processes/figures";
import { firstField, start } from "./arrivals";
import { onPhone, type Phone, untilSeen } from "./phone";
import { rounds } from "./rounds";
import { bounded, type Row } from "./table";
import type { World } from "./world";

const times = 9;

/** Touches the start button and lifts the finger at once, without Playwright's waiting for a page at rest. */
async function touchStart({ page, devtools }: Phone): Promise<void> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator(start).boundingBox()) ?? {};
  const touchPoints = [{ x: x + width / 2, y: y + height / 2 }];
  await devtools.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
  await devtools.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

/** Calls back with the time of the touch, by the browser's clock since the epoch. The page may be gone soon after. */
async function onTouch({ page }: Phone, note: (at: number) => void): Promise<void> {
  await page.exposeFunction("touchedAt", note);
  await page.addInitScript(() =>
    document.addEventListener(
      "touchstart",
      ({ timeStamp }) =>
        (window as unknown as { touchedAt(at: number): void }).touchedAt(performance.timeOrigin + timeStamp),
      { capture: true },
    ),
  );
}

/** Calls back with every frame that the browser presents (CDP's screencast), as pixels. */
async function film({ devtools }: Phone, note: (pixels: string, at: number) => void): Promise<void> {
  devtools.on("Page.screencastFrame", ({ data, metadata, sessionId }) => {
    note(data, (metadata.timestamp ?? 0) * 1000);
    devtools.send("Page.screencastFrameAck", { sessionId }).catch(() => undefined);
  });
  await devtools.send("Page.startScreencast", { format: "png" });
}

/** Milliseconds from the touch to the first frame that looks different, whatever it is that has changed. */
async function untilSign(browser: Browser, link: string, prepare: (phone: Phone) => Promise<void>): Promise<number> {
  return onPhone(browser, async (phone) => {
    let touched = Number.POSITIVE_INFINITY;
    const frames: { pixels: string; at: number }[] = [];
    await onTouch(phone, (at) => {
      touched = at;
    });
    await phone.slow();
    await untilSeen(phone, link, start);
    await prepare(phone);
    await film(phone, (pixels, at) => frames.push({ pixels, at }));
    await touchStart(phone);
    await phone.page.waitForTimeout(1500);
    const before = frames.filter(({ at }) => at <= touched).at(-1);
    const changed = frames.find(({ at, pixels }) => at > touched && pixels !== before?.pixels);
    return (changed?.at ?? Number.POSITIVE_INFINITY) - touched;
  });
}

/** Milliseconds from the tap until the form's first field is there; `Infinity` if the tap is lost. */
async function intoForm(browser: Browser, link: string, prepare: (phone: Phone) => Promise<void>): Promise<number> {
  return onPhone(browser, async (phone) => {
    let touched = 0;
    await onTouch(phone, (at) => {
      touched = at;
    });
    await phone.slow();
    await untilSeen(phone, link, start);
    await prepare(phone);
    await phone.page.addInitScript(noteWhenSeen, firstField);
    await phone.page.evaluate(noteWhenSeen, firstField);
    await touchStart(phone);
    const seen = await phone.page
      .waitForFunction(() => (window as unknown as { fieldAt?: number }).fieldAt)
      .catch(() => undefined);
    return ((await seen?.jsonValue()) ?? Number.POSITIVE_INFINITY) - touched;
  });
}

function noteWhenSeen(selector: string) {
  const look = () => {
    if (document.querySelector(selector)?.getClientRects().length)
      (window as unknown as { fieldAt: number }).fieldAt = performance.timeOrigin + performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

const afterReading = ({ page }: Phone) => page.waitForLoadState("networkidle");
const atOnce = async () => {};
const cutOff = async (phone: Phone) => {
  await afterReading(phone);
  await phone.cutOff();
};

export async function taps({ browser, page, newLink }: World): Promise<Row[]> {
  const sign = (prepare: (phone: Phone) => Promise<void>) => async () => untilSign(browser, await newLink(), prepare);
  const taken = await rounds(times, {
    into: async () => intoForm(browser, await newLink(), afterReading),
    intoAtOnce: async () => intoForm(browser, await newLink(), atOnce),
    read: sign(afterReading),
    loading: sign(atOnce),
    cut: sign(cutOff),
    still: () => untilSign(browser, page.url, afterReading),
  });
  const arrived = taken.intoAtOnce.filter(Number.isFinite).length;
  const signs = { read: "landing read for a while", loading: "its scripts still loading", cut: "line cut off" };
  return [
    {
      what: "token link → landing usable (start tapped as soon as it was visible)",
      floor: "its being visible",
      limit: "1.0 ×",
      measured: `${arrived} of ${times} taps led to the first field`,
      spread: "",
      verdict: arrived === times ? "kept" : "missed",
    },
    bounded({
      what: "/home first field visible and editable, coming from the landing",
      floor: "a tap on the landing",
      most: 100,
      unit: "ms",
      ours: taken.into,
    }),
    ...(["read", "loading", "cut"] as const).map((state) =>
      bounded({
        what: `first changed frame after that tap: ${signs[state]}`,
        floor: `the touch; the static landing shows one after ${median(taken.still).toFixed(1)} ms`,
        most: 50,
        unit: "ms",
        ours: taken[state],
      }),
    ),
  ];
}
