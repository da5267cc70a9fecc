/** The product's colours and type (app/globals.css), for a page that Next does not serve. */
export const style = `
:root { --ink: #12241f; --soft: #4a5b56; --paper: #f8f7f3; --line: #dfe2dc; --brand: #0b5c4b; --strong: #073a30;
  --brand-soft: #e5f1ec; --accent-soft: #fdf4df; --accent: #7a5200; --danger: #b3261e; --danger-soft: #fcefed; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
.page { max-width: 68rem; margin-inline: auto; padding-inline: clamp(16px, 4vw, 40px); }
.top { background: #fff; border-bottom: 1px solid var(--line); }
.top .page { display: flex; align-items: center; gap: .625rem; min-height: 4rem; }
.top svg { width: 2rem; height: 2rem; flex: none; }
.top strong { font-size: 1.125rem; letter-spacing: -.01em; }
h1 { margin: 2rem 0 .25rem; font-size: 1.875rem; line-height: 1.18; letter-spacing: -.02em; }
.lead { margin: 0 0 1.5rem; color: var(--soft); text-wrap: pretty; }
.note { margin: 0 0 1.5rem; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: .75rem; background: #fff;
  overflow-wrap: anywhere; }
.note code, .webhook pre { font: .8125rem/1.6 ui-monospace, Menlo, Consolas, monospace; }
ol:not(:empty) ~ .none, body:not(.away) .ended { display: none; }
.ended { background: var(--danger-soft); }
ol { list-style: none; margin: 0; padding: 0; }
main { padding-bottom: 3rem; }
article { margin-bottom: 1.25rem; border: 1px solid var(--line); border-radius: 1rem; background: #fff; overflow: hidden;
  box-shadow: 0 1px 2px rgb(18 36 31 / .06); }
article > header { padding: 1rem 1.25rem; border-bottom: 1px solid var(--line); }
.line { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; font-size: .8125rem; }
.line time { margin-left: auto; color: var(--soft); }
.tag { padding: .125rem .625rem; border-radius: 1rem; background: var(--brand-soft); color: var(--strong); font-weight: 600; }
.tag.sms { background: var(--accent-soft); color: var(--accent); }
.tag.webhook { background: var(--paper); color: var(--soft); border: 1px solid var(--line); }
.tag.refused { background: var(--danger-soft); color: var(--danger); }
h2 { margin: .5rem 0 .25rem; font-size: 1.25rem; line-height: 1.35; letter-spacing: -.01em; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .125rem .75rem; margin: 0; font-size: .9375rem; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
.parts { display: grid; grid-template-columns: minmax(0, 1fr); }
iframe { display: block; width: 100%; height: 44rem; border: 0; border-bottom: 1px solid var(--line); background: #fff; resize: vertical; }
pre { margin: 0; padding: 1.25rem; font: inherit; font-size: .9375rem; white-space: pre-wrap; overflow-wrap: anywhere; }
a { color: var(--brand); text-underline-offset: .15em; }
details { border-top: 1px solid var(--line); padding: 0 1.25rem; font-size: .8125rem; }
summary { padding: .75rem 0; cursor: pointer; color: var(--brand); font-weight: 600; }
details dl { padding-bottom: 1rem; font-size: .8125rem; }
:focus-visible { outline: 3px solid #1d4ed8; outline-offset: 2px; }
@media (min-width: 60rem) {
  .two { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); }
  .two iframe { height: 100%; min-height: 44rem; border-bottom: 0; border-right: 1px solid var(--line); }
}
@media (max-width: 30rem) {
  details dl { grid-template-columns: minmax(0, 1fr); }
  details dd { margin-bottom: .375rem; }
}
`;
