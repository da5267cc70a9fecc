import diagnostics from "node:diagnostics_channel";

/** Diagnostics channels outlive a test file, so listeners that stay subscribed would also receive the next file's events. */
const subscribed = jest.spyOn(diagnostics, "subscribe");
afterAll(() => {
  for (const [name, listener] of subscribed.mock.calls) diagnostics.unsubscribe(name, listener);
  subscribed.mockRestore();
});
