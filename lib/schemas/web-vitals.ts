import * as z from "zod/mini";

const vital = z.strictObject({
  name: z.enum(["LCP", "INP", "CLS"]),
  /** The path of the page that it was measured on. */
  page: z.string().check(z.maxLength(100)),
  /** Milliseconds; of CLS, a score. */
  value: z.number().check(z.gte(0), z.lte(600_000)),
});

/** What a browser reports of one visit: how fast it was, and nothing of whose it was. */
export const webVitalsSchema = z.strictObject({
  source: z.string().check(z.maxLength(100)),
  vitals: z.array(vital).check(z.maxLength(3)),
});

export type WebVitals = z.infer<typeof webVitalsSchema>;
