import * as z from "zod/mini";

/** The body of every API response (docs/calls.md). `errors` maps a field to its message. */
export const envelopeSchema = z.object({
  success: z.boolean(),
  data: z.optional(z.unknown()),
  message: z.optional(z.string()),
  errors: z.optional(z.record(z.string(), z.string())),
});

export type Envelope = z.infer<typeof envelopeSchema>;
