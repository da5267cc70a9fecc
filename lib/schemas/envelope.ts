import {
  $ZodBoolean,
  $ZodObject,
  $ZodOptional,
  $ZodRecord,
  $ZodString,
  type $ZodType,
  $ZodUnknown,
  type output,
} from "zod/v4/core";

const text = () => new $ZodString({ type: "string" });
const optional = <T extends $ZodType>(innerType: T) =>
  new $ZodOptional({ type: "optional", innerType }) as $ZodOptional<T>;

/** The body of every answer of the API (docs/calls.md). `errors` maps a field to its message. */
export const envelopeSchema = new $ZodObject({
  type: "object",
  shape: {
    success: new $ZodBoolean({ type: "boolean" }),
    data: optional(new $ZodUnknown({ type: "unknown" })),
    message: optional(text()),
    errors: optional(new $ZodRecord({ type: "record", keyType: text(), valueType: text() })),
  },
});

export type Envelope = output<typeof envelopeSchema>;
