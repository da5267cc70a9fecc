/** The outcome of an attempt that the provider refused for good. */
export const failed = (error: string) => ({ state: "failed", error }) as const;
/** The outcome of an attempt that is made again. */
export const later = (error: string) => ({ state: "later", error }) as const;
/** The outcome of an attempt that certainly sent nothing, so it does not count. */
export const uncounted = (error: string) => ({ state: "later", error, isUncounted: true }) as const;
/** The outcome of an attempt that may have sent the message. */
export const unknown = (error: string) => ({ state: "unknown", error }) as const;
