import { setTimeout as sleep } from "node:timers/promises";
import { landlord } from "@/__tests__/support/answers";
import type { App } from "@/__tests__/support/processes/app";
import { type Answer, call } from "@/__tests__/support/processes/call";

/** Open-loop load: saves at a fixed rate, without waiting for earlier answers. */
export async function steadily(app: App, perSecond: number, seconds: number, tokens: string[]): Promise<Answer[]> {
  const begun = performance.now();
  const answers: Promise<Answer>[] = [];
  for (let n = 0; n < seconds * perSecond; n += 1) {
    const due = begun + (n * 1000) / perSecond;
    if (due > performance.now()) await sleep(due - performance.now());
    answers.push(call(app, "submit-step-1", { token: tokens[n % tokens.length], data: landlord }));
  }
  return Promise.all(answers);
}
