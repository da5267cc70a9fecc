import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** What the process sends: one call each 1/perSecond second, whether or not earlier ones are answered. */
export interface Steady {
  url: string;
  bodies: string[];
  perSecond: number;
  seconds: number;
}

export interface Answered {
  /**
   * Milliseconds from the moment at which a call was due, not from when it was sent: a stall counts for every call that
   * it holds up (no coordinated omission).
   */
  milliseconds: number[];
  wrong: number;
}

// The server closes a connection that was idle for 5 s, perhaps at the moment at which it is used again.
const agent = new Agent({ keepAlive: true, maxSockets: 64, timeout: 4000 });

function send(url: string, body: string): Promise<boolean> {
  return new Promise((resolve) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const sent = request(url, { agent, method: "POST", headers }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode === 200));
    });
    sent.on("error", () => resolve(false)).end(body);
  });
}

async function steadily({ url, bodies, perSecond, seconds }: Steady): Promise<Answered> {
  const milliseconds: number[] = [];
  let wrong = 0;
  const begun = performance.now();
  const calls: Promise<void>[] = [];
  for (let n = 0; n < perSecond * seconds; n += 1) {
    const due = begun + (n * 1000) / perSecond;
    if (due > performance.now()) await sleep(due - performance.now());
    calls.push(
      send(url, bodies[n % bodies.length] ?? "").then((isRight) => {
        milliseconds.push(performance.now() - due);
        if (!isRight) wrong += 1;
      }),
    );
  }
  await Promise.all(calls);
  return { milliseconds, wrong };
}

process.on("message", async (steady: Steady) => process.send?.(await steadily(steady)));
