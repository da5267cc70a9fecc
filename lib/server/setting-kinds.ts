import { z } from "zod";
import { isThisMachine } from "./this-machine.mjs";

/** Kinds of settings that several groups of settings share. */

export const whole = (min: number, max: number, error = `is not a whole number from ${min} to ${max}`) =>
  z.coerce.number({ error }).int({ error }).min(min, { error }).max(max, { error });

export const listOf = (separator: RegExp | string) =>
  z
    .string()
    .default("")
    .transform((text) => [...new Set(text.split(separator).map((part) => part.trim()))].filter(Boolean));

export const optionalText = z.string().trim().min(1).optional();
export const optionalUrl = z.url({ protocol: /^https?$/ }).optional();

/** A scheme and a host alone. The app serves no other path, and a query or fragment would swallow a link's token. */
export const origin = z
  .stringFormat("origin", /^https?:\/\/[\p{L}\p{N}.:[\]-]+\/*$/iu, {
    error: "Invalid URL: use a scheme and a host alone, such as https://apply.example",
    abort: true,
  })
  .refine(URL.canParse, { error: "Invalid URL", abort: true });

/** Whether what is sent to the URL is encrypted, or stays on this machine. */
export const isSafeForSecrets = (url: string) => new URL(url).protocol === "https:" || isThisMachine(url);
