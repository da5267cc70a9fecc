import { waitFor } from "@testing-library/react";
import { agent } from "@/__tests__/support/answers";
import { fakeApi } from "@/__tests__/support/api";
import type { StepValues } from "@/components/form/form-machine";
import { next, type PressedStep } from "@/components/form/next";
import { dropToken } from "@/lib/client/browser-storage";
import { agentSchema } from "@/lib/schemas/steps";

const api = fakeApi();

/** A step in which Next is pressed. `typed` lists the values in its fields after each save. */
function step(...typed: (StepValues | undefined)[]) {
  const events: string[] = [];
  const form: PressedStep<2> = {
    step: 2,
    schema: agentSchema,
    typed: () => typed.shift(),
    show: () => {},
    refuse: (messages) => void events.push(...Object.values(messages)),
    send: ({ type }) => void events.push(type),
    accept: ({ agencyName }) => void events.push(`saved ${agencyName}`),
    fail: ({ status, message }) => void events.push(`failed with ${status ?? message}`),
    isMounted: () => true,
  };
  return { form, events };
}

beforeEach(() => localStorage.setItem("auth_token", "token-of-a-test"));

test("Next saves what the schema has trimmed, and the next screen can follow", async () => {
  api.answers("submit-step-2", {});
  const { form, events } = step(agent);
  expect(await next({ ...agent, agencyName: " Harbour Homes " }, form)).toBe(true);
  expect(events).toEqual(["saved Harbour Homes", "done"]);
});

test("Next saves again what was typed during the save", async () => {
  api.answers("submit-step-2", {}, {});
  const later = { ...agent, agencyName: "Quay Lettings" };
  const { form, events } = step(later, later);
  expect(await next(agent, form)).toBe(true);
  expect(events.filter((event) => event.startsWith("saved"))).toEqual(["saved Harbour Homes", "saved Quay Lettings"]);
});

test("Next saves nothing that the schema refuses, typed before the save or during it", async () => {
  api.answers("submit-step-2", {});
  const wrong = { ...agent, agencyName: "" };
  const { form, events } = step(wrong);
  expect(await next(wrong, form)).toBe(false);
  expect(await next(agent, form)).toBe(false);
  expect(events).toEqual([
    "Agency name is required",
    ...["saved Harbour Homes", "done", "start", "Agency name is required"],
  ]);
});

test("who has left the step during the save is not taken to the next one", async () => {
  api.answers("submit-step-2", {});
  const { form } = step(undefined);
  expect(await next(agent, form)).toBe(false);
});

test("Next reports a save that failed", async () => {
  api.answers("submit-step-2", { status: 422, body: { success: false } });
  const { form, events } = step(agent);
  expect(await next(agent, form)).toBe(false);
  expect(events).toEqual(["failed with 422"]);
});

test("Next saves nothing to the application that the page has opened since", async () => {
  api.answers("submit-step-2", "no network", {});
  const { form, events } = step(undefined);
  const saving = next(agent, form);
  await waitFor(() => expect(events).toContain("slow"));
  dropToken();
  localStorage.setItem("auth_token", "token of another application");
  window.dispatchEvent(new Event("online"));
  expect(await saving).toBe(false);
  expect(api.calls.map(({ body }) => body.token)).toEqual(["token-of-a-test"]);
  expect(events).toEqual(["slow", "failed with No token found"]);
});
