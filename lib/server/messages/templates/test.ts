import "server-only";
import { emailOf } from "./email";
import type { Template } from "./letter";

export const testEmail = emailOf("test-1", (_, brand) => ({
  subject: `Test message from ${brand.name}`,
  preview: "Email works.",
  heading: "Email works",
  parts: [`This is a test of the emails that ${brand.product} sends. There is nothing you need to do.`],
  why: "You get this because somebody who runs this system asked for a test message to this address.",
}));

export const testSms: Template<string> = {
  version: "test-1",
  write: (_, { legalName, product, supportPhone }) =>
    `${legalName}: a test of the text messages that ${product} sends. There is nothing you need to do. Questions? Call ${supportPhone}.`,
};
