import diagnostics from "node:diagnostics_channel";

/** Node's channels outlive a test file: what one has subscribed to them would hear the servers of the next file as well. */
const subscribed = jest.spyOn(diagnostics, "subscribe");
afterAll(() => {
  for (const [name, listener] of subscribed.mock.calls) diagnostics.unsubscribe(name, listener);
  subscribed.mockRestore();
});
