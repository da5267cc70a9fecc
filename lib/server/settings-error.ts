import "server-only";

/** Stops the start. Its message names every invalid setting, without the values. */
export class SettingsError extends Error {
  override name = "SettingsError";
}
