"use client";

import { useSearchParams } from "next/navigation";
import { useEffect, useRef } from "react";
import { inputBox } from "./input-box";

/** The search over all applications. Ctrl+K or Cmd+K leads to it from every page. */
export function DeskSearch() {
  const words = useSearchParams().get("q") ?? "";
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    function press(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      input.current?.select();
    }
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
  return (
    <search className="min-w-0 grow sm:max-w-md">
      <form action="/desk" className="flex items-center gap-2">
        <label htmlFor="search-words" className="font-semibold text-sm">
          Search
        </label>
        <input
          key={words}
          ref={input}
          id="search-words"
          name="q"
          type="search"
          defaultValue={words}
          maxLength={200}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="search"
          aria-keyshortcuts="Control+K Meta+K"
          placeholder="Name, phone, reference…"
          className={`${inputBox} min-w-0 grow placeholder:text-ink-soft`}
        />
        <kbd className="whitespace-nowrap text-ink-soft text-xs max-lg:hidden">Ctrl+K</kbd>
      </form>
    </search>
  );
}
