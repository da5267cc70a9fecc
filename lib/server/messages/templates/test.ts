import "server-only";
import { emailOf } from "./email";
import type { Template } from "./letter";

export const testEmail = emailOf("test-3", (_, brand) => ({
  subject: `Test message from ${brand.name}`,
  preview: "Email works.",
  heading: "Email works",
  parts: [`This is a test of the emails that ${brand.product} sends. You don't need to do anything.`],
  why: "You're receiving this because someone who runs this system asked for a test message to this address.",
}));

export const testSms: Template<string> = {
  version: "test-2",
  write: (_, { legalName, product, supportPhone }) =>
    `${legalName}: a test of the text messages that ${product} sends. You don't need to do anything. Questions? Call ${supportPhone}.`,
};
