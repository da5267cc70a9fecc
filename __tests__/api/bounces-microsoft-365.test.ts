import { readMailbox } from "@/lib/server/channels/bounces/read-mailbox";

jest.mock("imapflow", () => ({
  ImapFlow: class {
    on() {}
    close() {}
    connect = () => Promise.reject(Object.assign(new Error("Command failed"), { authenticationFailed: true }));
  },
}));

test("the log says that Microsoft 365 takes no password, where another server has refused one", async () => {
  const codeAt = (host: string) => readMailbox(`imaps://u:p@${host}`).catch(({ code }) => code);
  expect(await codeAt("outlook.office365.com")).toBe("MICROSOFT_365_TAKES_NO_PASSWORD");
  expect(await codeAt("mail.example")).toBe("AUTHENTICATIONFAILED");
});
