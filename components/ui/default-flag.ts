/**
 * Australia's flag as far as 24 by 16 pixels show it, stars as dots. The library's drawing is four times as long, and this is
 * the one flag that comes with the form.
 */
export const defaultFlag =
  '<svg viewBox="0 0 24 16"><path fill="#00247d" d="M0 0h12v8H0z"/><g fill="none" stroke="#fff"><path stroke-width="1.8" d="m0 0 12 8m0-8L0 8"/><path stroke="#cf142b" stroke-width=".8" d="m0 0 12 8m0-8L0 8"/><path stroke-width="2.8" d="M6 0v8M0 4h12"/><path stroke="#cf142b" stroke-width="1.6" d="M6 0v8M0 4h12"/></g><path fill="#00247d" d="M12 0h12v16H0V8h12z"/><g stroke="#fff" stroke-linecap="round"><path stroke-width="2.6" d="M6 12h0"/><path stroke-width="1.4" d="M18 2.8h0m0 10.2h0M15.2 7h0m5.6-1.2h0m-1.6 2.9h0"/></g></svg>';
