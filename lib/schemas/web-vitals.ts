import * as z from "zod/mini";

const vital = z.strictObject({
  name: z.enum(["LCP", "INP", "CLS"]),
  /** The path of the page on which the value was measured. */
  page: z.string().check(z.maxLength(100)),
  /** In milliseconds, except for CLS, which is a score. */
  value: z.number().check(z.gte(0), z.lte(600_000)),
});

/** What a browser reports about one visit: how fast it was, without identifying the visitor. */
export const webVitalsSchema = z.strictObject({
  source: z.string().check(z.maxLength(100)),
  vitals: z.array(vital).check(z.maxLength(3)),
});

export type WebVitals = z.infer<typeof webVitalsSchema>;
