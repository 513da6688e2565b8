// The style sheet of the console and the pages of the API reference, light and dark, and the console's only script.

export const style = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f7f9f8, #101418);
  --card: light-dark(#ffffff, #171b20);
  --line: light-dark(#dde3e0, #2a3138);
  --text: light-dark(#1a211e, #e4e9e6);
  --soft: light-dark(#55605b, #9eaaa4);
  --accent: light-dark(#0b7a55, #4cc79a);
  --on-accent: light-dark(#ffffff, #08130e);
  --tint: light-dark(#e7f4ee, #16302a);
  --warning: light-dark(#8a5a00, #e2b04a);
  --warning-tint: light-dark(#fdf3dd, #33270f);
  --bad: light-dark(#b3261e, #f28b82);
  --bad-tint: light-dark(#fdecea, #3a1a18);
  --saved: light-dark(#3b6fb5, #7fb2ee);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); }
a { color: var(--accent); text-underline-offset: 0.2em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
h1, h2, h3 { line-height: 1.25; margin: 0; letter-spacing: -0.01em; }
h1 { font-size: 1.75rem; margin-bottom: 1.25rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 0.75rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 0.5rem; }
p { margin: 0.5rem 0; max-width: 72ch; }
small { color: var(--soft); font-size: 0.85rem; }
code.id { white-space: nowrap; }
code { font: 0.875em/1.5 ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.hidden, .skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 0.5rem; z-index: 2; background: var(--card); padding: 0.5rem 1rem; }

.top { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1.5rem; padding: 0.6rem clamp(1rem, 4vw, 2.5rem); background: var(--card); border-bottom: 1px solid var(--line); }
.brand { font-weight: 700; text-decoration: none; color: var(--text); letter-spacing: -0.01em; }
.brand span { color: var(--accent); }
nav { flex: 1; min-width: 0; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem; list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: 0.3rem 0.7rem; border-radius: 8px; color: var(--text); text-decoration: none; }
nav a:hover { background: var(--tint); }
nav a[aria-current] { background: var(--tint); color: var(--accent); font-weight: 600; }
.tabs { margin: -0.5rem 0 1.25rem; border-bottom: 1px solid var(--line); }
.tabs a { border-radius: 8px 8px 0 0; }
.who { display: flex; gap: 0.75rem; align-items: baseline; color: var(--soft); font-size: 0.9rem; margin: 0; }

main { padding: 1.75rem clamp(1rem, 4vw, 2.5rem) 5rem; max-width: 80rem; margin: 0 auto; outline: none; }
main.plain { max-width: 30rem; padding-top: 12vh; }
main.plain .brand { display: block; margin-bottom: 1.5rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.1rem 1.25rem; margin: 0 0 1.25rem; }
.card > h2:first-child, .card > h3:first-child { margin-top: 0; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); gap: 1.25rem; align-items: start; margin: 0 0 1.25rem; }
.columns > .card { margin: 0; }
.columns > .whole { grid-column: 1 / -1; }
.lead { color: var(--soft); margin: 0 0 1.25rem; }
:is(h1, .tabs) + .lead { margin-top: -0.75rem; }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: center; margin: 1rem 0; }

.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: 1rem; margin: 0 0 1.25rem; }
.figure { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 0.8rem 1rem; }
.figure dt { color: var(--soft); font-size: 0.85rem; }
.figure dd { margin: 0; }
.figure strong { display: block; font-size: 1.45rem; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; }
.card .figures { grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); margin: 0.5rem 0; }
.card .figure { border: 0; padding: 0; background: none; }

.facts { display: grid; grid-template-columns: minmax(9rem, max-content) minmax(0, 1fr); gap: 0.35rem 1.25rem; margin: 0.5rem 0; font-size: 0.92rem; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; overflow-wrap: anywhere; }

.wide { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 12px; margin: 0.75rem 0 1.25rem; }
.card .wide { border: 0; margin: 0.25rem 0; background: none; }
table { border-collapse: collapse; width: 100%; font-size: 0.92rem; }
th, td { text-align: left; padding: 0.5rem 0.7rem; border-bottom: 1px solid var(--line); vertical-align: top; }
tbody tr:last-child > * { border-bottom: 0; }
th { color: var(--soft); font-weight: 600; font-size: 0.8rem; white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
td time { white-space: nowrap; }
.address { display: inline-block; min-width: 8rem; overflow-wrap: anywhere; }
.usage { display: inline-grid; gap: 0.15rem; min-width: 8rem; }
meter { width: 100%; height: 0.6rem; }
.empty { color: var(--soft); background: var(--card); border: 1px dashed var(--line); border-radius: 12px; padding: 1.25rem; max-width: none; }
.pager { text-align: right; max-width: none; }

.badge { display: inline-block; font-size: 0.8rem; border-radius: 99px; padding: 0.05rem 0.6rem; white-space: nowrap; background: var(--page); color: var(--soft); border: 1px solid var(--line); }
.badge.good { color: var(--accent); background: var(--tint); border-color: transparent; }
.badge.warning { color: var(--warning); background: var(--warning-tint); border-color: transparent; }
.badge.bad { color: var(--bad); background: var(--bad-tint); border-color: transparent; }
.notice, .problem { border-radius: 10px; padding: 0.7rem 1rem; margin: 0 0 1.25rem; max-width: none; }
.notice { background: var(--tint); border-left: 4px solid var(--accent); }
.problem { background: var(--bad-tint); border-left: 4px solid var(--bad); }
.problem p { margin: 0.1rem 0; }
.secret { display: block; padding: 0.7rem 0.9rem; border: 1px solid var(--line); border-radius: 8px; background: var(--page); overflow-wrap: anywhere; user-select: all; }

form { margin: 0; }
.field { border: 0; padding: 0; margin: 0 0 0.9rem; min-width: 0; }
.field label, .field legend { font-weight: 600; font-size: 0.92rem; padding: 0; }
.field .choice, .choice { display: block; font-weight: 400; margin: 0.2rem 0; }
.hint { color: var(--soft); font-size: 0.85rem; margin: 0 0 0.25rem; }
input + .hint { margin-top: 0.4rem; }
.wrong { color: var(--bad); font-size: 0.9rem; margin: 0.25rem 0 0; }
.choice + button { margin-top: 0.5rem; }
input:not([type=checkbox], [type=hidden]), select, textarea { display: block; width: 100%; min-height: 2.6rem; max-width: 28rem; font: inherit; padding: 0.45rem 0.7rem; border: 1px solid var(--soft); border-radius: 8px; background: var(--card); color: var(--text); }
input[aria-invalid], select[aria-invalid] { border-color: var(--bad); }
textarea { max-width: none; font: 0.875rem/1.5 ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, monospace; resize: vertical; }
form.inline { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: end; }
form.inline .field { margin: 0; }
form.inline:has([aria-invalid]) { align-items: start; }
form.inline:has([aria-invalid]) > button { margin-top: 1.5rem; }
:is(.wide, .card > form) + form { margin-top: 1rem; }
form.inline input:not([type=checkbox], [type=hidden]), form.inline select { width: auto; min-width: 8rem; }
.button, button { display: inline-block; font: inherit; font-weight: 600; border: 1px solid var(--accent); border-radius: 8px; padding: 0.42rem 1rem; background: var(--accent); color: var(--on-accent); text-decoration: none; cursor: pointer; }
.button.second, button.second { background: transparent; color: var(--accent); }
button.danger { background: var(--bad); border-color: var(--bad); color: light-dark(#ffffff, #2a0806); }
button.link { background: none; border: 0; padding: 0; color: var(--accent); font-weight: 400; text-decoration: underline; text-underline-offset: 0.2em; }
details { margin: 0.5rem 0; }
summary { cursor: pointer; color: var(--accent); }

.steps { list-style: none; counter-reset: step; padding: 0; margin: 0; }
.steps > li { display: grid; grid-template-columns: 8rem minmax(0, 1fr); gap: 0.75rem; padding: 1rem 0; border-bottom: 1px solid var(--line); }
.steps h3 { margin: 0; }
.steps p { margin: 0.15rem 0; }
.steps .badge { justify-self: start; align-self: start; }
.steps > li:last-child { border-bottom: 0; }
.timeline { list-style: none; margin: 0; padding: 0 0 0 1.1rem; border-left: 2px solid var(--line); font-size: 0.92rem; }
.timeline li { position: relative; display: grid; gap: 0 0.75rem; padding: 0.3rem 0; }
.timeline li::before { content: ""; position: absolute; left: calc(-1.1rem - 6px); top: 0.75rem; width: 10px; height: 10px; border-radius: 50%; background: var(--accent); }
.timeline time { color: var(--soft); font-size: 0.85rem; }
td summary { white-space: nowrap; }
td details[open] { min-width: 14rem; }
td form { margin: 0 0 0.4rem; }
td button { padding: 0.2rem 0.75rem; font-size: 0.9rem; white-space: nowrap; }
td p { margin: 0.2rem 0; }
.qr { display: block; margin: 0.75rem 0; width: 11rem; height: 11rem; background: #ffffff; padding: 0.5rem; border-radius: 8px; }

.chart { margin: 0.5rem 0; }
.chart svg { display: block; width: 100%; height: auto; }
.chart text { fill: var(--soft); font-size: 12px; }
.chart .tick line { stroke: var(--line); }
.chart figcaption { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; color: var(--soft); font-size: 0.85rem; }
.key::before { content: ""; display: inline-block; width: 0.7rem; height: 0.7rem; border-radius: 3px; margin-right: 0.4rem; background: currentColor; }
.series.spent, .series.calls, .series.median { fill: var(--accent); }
.series.saved, .series.slow { fill: var(--saved); }
.series.errors { fill: var(--bad); }
.key { color: var(--text); }
.key.spent::before, .key.calls::before, .key.median::before { background: var(--accent); }
.key.saved::before, .key.slow::before { background: var(--saved); }
.key.errors::before { background: var(--bad); }

.reference { display: grid; grid-template-columns: 16.5rem minmax(0, 1fr); }
.reference nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.5rem 1rem; background: var(--card); border-right: 1px solid var(--line); font-size: 0.9rem; }
.reference nav ul { flex-direction: column; gap: 0; }
.reference nav h2 { font-size: 0.75rem; margin: 1.25rem 0 0.25rem 0.7rem; color: var(--soft); text-transform: uppercase; letter-spacing: 0.06em; }
.reference nav a { padding: 0.15rem 0.7rem; }
.reference main { max-width: 90rem; width: 100%; }
.reference main > h2, .reference section > h2 { font-size: 1.5rem; border-top: 1px solid var(--line); padding-top: 1.5rem; }
.reference p { overflow-wrap: anywhere; }
.reference td:first-child code { white-space: nowrap; }
.operation { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 0 1rem; }
.operation:target { border-color: var(--accent); }
.operation > summary { display: flex; flex-wrap: wrap; gap: 0.2rem 0.75rem; align-items: baseline; padding: 0.6rem 0; color: var(--text); }
.operation h4 { flex: 1 1 20rem; min-width: 0; margin: 0; font-size: 0.95rem; font-weight: 400; overflow-wrap: anywhere; }
.operation h4 code { font-weight: 600; }
.operation h4 span { color: var(--soft); }
.operation h5 { font-size: 0.95rem; margin: 1.25rem 0 0.25rem; }
.method { width: 3.6rem; font-weight: 700; color: var(--accent); }
.method.get { color: var(--saved); }
.method.put, .method.patch { color: var(--warning); }
.method.delete, .required { color: var(--bad); }
.members { list-style: none; margin: 0.25rem 0; padding: 0; font-size: 0.9rem; }
.members .members { padding-left: 0.9rem; border-left: 2px solid var(--line); }
.members li { padding: 0.35rem 0; border-top: 1px solid var(--line); }
.members p { margin: 0.1rem 0; color: var(--soft); }
.values { display: flex; flex-wrap: wrap; gap: 0.2rem 0.75rem; }
.panel { margin: 0.75rem 0; border: 1px solid var(--line); border-radius: 10px; background: var(--page); overflow: hidden; }
.panel figcaption { padding: 0.4rem 0.9rem; font-size: 0.8rem; color: var(--soft); border-bottom: 1px solid var(--line); }
.panel pre { margin: 0; padding: 0.8rem 0.9rem; overflow: auto; max-height: 26rem; font-size: 0.85rem; }
.panel code { overflow-wrap: normal; }
footer { margin-top: 4rem; color: var(--soft); font-size: 0.9rem; }

@media (max-width: 45rem) {
  .reference { grid-template-columns: minmax(0, 1fr); }
  .reference nav { position: static; height: auto; padding: 1rem; order: 0; border-right: 0; border-bottom: 1px solid var(--line); }
  .reference nav ul { flex-flow: row wrap; }
  .top { gap: 0.4rem 1rem; }
  nav { order: 1; flex-basis: 100%; }
  nav a { padding: 0.3rem 0.5rem; }
  .who { margin-left: auto; }
  .wide thead { position: absolute; left: -99rem; }
  .wide :is(table, tbody, tr) { display: block; }
  .wide tr { padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
  .wide tbody tr:last-child { border-bottom: 0; }
  .wide td { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); gap: 0 0.75rem; padding: 0.15rem 1rem; border: 0; text-align: left; overflow-wrap: anywhere; }
  .wide td > * { grid-column: 2; }
  .wide td > .badge { justify-self: start; }
  .wide td::before { content: attr(data-label); color: var(--soft); font-size: 0.85rem; }
  .wide td:empty { display: none; }
  .card .wide td { padding: 0.15rem 0; }
  form.card.inline { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); }
  form.card.inline :is(input, select) { width: 100%; min-width: 0; }
  .facts, .steps > li { grid-template-columns: minmax(0, 1fr); gap: 0.1rem; }
  .facts dd { margin-bottom: 0.5rem; }
  input:not([type=checkbox], [type=hidden]), select { max-width: none; }
}
@media print {
  .top, .skip, form, .actions { display: none; }
  .card, .wide { border-color: #999999; break-inside: avoid; }
}
`;

/**
 * JavaScript. An element with an id and `data-live` (seconds) is replaced by its newest version while the page is visible
 * and the focus is not inside. It stops when the server no longer sends the element.
 */
export const liveScript = `
'use strict';
const update = async (id) => {
  const element = document.getElementById(id);
  if (element === null) return;
  const again = () => setTimeout(update, Number(element.dataset.live) * 1000, id);
  if (document.hidden || element.contains(document.activeElement)) return again();
  try {
    const response = await fetch(location.href, { headers: { accept: 'text/html' }, redirect: 'error' });
    if (!response.ok) return again();
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const next = page.getElementById(id);
    if (next === null) return;
    element.replaceWith(document.adoptNode(next));
    if (next.dataset.live !== undefined) setTimeout(update, Number(next.dataset.live) * 1000, id);
  } catch {
    again();
  }
};
for (const { id, dataset } of document.querySelectorAll('[data-live]')) setTimeout(update, Number(dataset.live) * 1000, id);
`;
