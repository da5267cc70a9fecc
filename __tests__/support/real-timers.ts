/** Everything that fake timers replace by default, except Date: for tests that only set the time. */
export const realTimers = [
  ...(["setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate", "clearImmediate"] as const),
  ...(["requestAnimationFrame", "cancelAnimationFrame", "requestIdleCallback", "cancelIdleCallback"] as const),
  ...(["nextTick", "queueMicrotask", "hrtime", "performance"] as const),
];
