import "server-only";
import type { Brand } from "@/lib/brand";
import type { Told } from "./told";

export interface WrittenEmail {
  subject: string;
  text: string;
  html: string;
}

/** One kind of message on one channel. Its version changes with its words, and is kept with each message. */
export interface Template<Written> {
  /** 'invitation-1'. */
  version: string;
  write(told: Told, brand: Brand): Written;
}
