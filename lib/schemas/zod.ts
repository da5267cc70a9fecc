import {
  _email,
  _maxLength,
  _minLength,
  _normalize,
  _overwrite,
  _refine,
  _trim,
  type $InferObjectOutput,
  $ZodBoolean,
  type $ZodCheck,
  $ZodCustom,
  type $ZodCustomParams,
  $ZodDefault,
  $ZodEmail,
  $ZodObject,
  $ZodPipe,
  type $ZodShape,
  $ZodString,
  type $ZodType,
  parse as coreParse,
  safeParse as coreSafeParse,
  safeParseAsync as coreSafeParseAsync,
  type output,
} from "zod/v4/core";

/**
 * The few kinds of schema that the steps need, on zod's core. Its 'mini' build would pull all of zod's patterns and
 * utilities into the page, a twentieth of its scripts (docs/decisions/zod-core.md).
 */
export type Schema<Output = unknown> = $ZodType<Output>;
export type Check<Value = string> = $ZodCheck<Value>;

export const trim = _trim;
export const normalize = _normalize;
export const overwrite = _overwrite<string>;
export const minLength = _minLength;
export const maxLength = _maxLength;

export const parse = coreParse;
export const safeParse = coreSafeParse;
export const safeParseAsync = coreSafeParseAsync;

/** A custom check. `params` is, or holds, the message shown to the person. */
export function refine<Value = string>(
  holds: (value: Value) => boolean,
  params: string | $ZodCustomParams,
): Check<Value> {
  return _refine<Value>($ZodCustom, holds, params);
}

export function string(message: string, ...checks: Check[]) {
  return new $ZodString({ type: "string", error: () => message, checks }) as $ZodString<string>;
}

export function boolean(message: string) {
  return new $ZodBoolean({ type: "boolean", error: () => message }) as $ZodBoolean<boolean>;
}

export function email(message: string) {
  return _email($ZodEmail, message);
}

/** The first schema's output is the second's input. */
export function pipe<First extends $ZodType, Second extends $ZodType>(first: First, second: Second) {
  return new $ZodPipe({ type: "pipe", in: first, out: second }) as $ZodPipe<First, Second>;
}

/** `value` replaces undefined. */
export function withDefault<Inner extends $ZodType>(inner: Inner, value: output<Inner>) {
  return new $ZodDefault({ type: "default", innerType: inner, defaultValue: value }) as $ZodDefault<Inner>;
}

/** Unknown keys are stripped. */
export function object<Shape extends $ZodShape>(
  shape: Shape,
  ...checks: Check<$InferObjectOutput<Shape, Record<never, never>>>[]
) {
  return new $ZodObject({ type: "object", shape, checks }) as $ZodObject<Shape>;
}
