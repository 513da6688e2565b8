// Styles of the reference page, light and dark. The content security policy allows only this style sheet.

/** CSS. */
export const style = `
:root {
  color-scheme: light dark;
  --page: light-dark(#ffffff, #101418);
  --side: light-dark(#f6f8f7, #151a1f);
  --line: light-dark(#dde3e0, #2a3138);
  --text: light-dark(#1a211e, #e4e9e6);
  --soft: light-dark(#55605b, #9eaaa4);
  --accent: light-dark(#0b7a55, #4cc79a);
  --tint: light-dark(#eaf5f0, #16302a);
  --code: light-dark(#f0f3f2, #1d242a);
  --get: light-dark(#0a5fa8, #6db6f2);
  --post: light-dark(#0b7a55, #4cc79a);
  --put: light-dark(#8a5a00, #e2b04a);
  --delete: light-dark(#b3261e, #f28b82);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--page); color: var(--text); }
a { color: var(--accent); text-underline-offset: 0.2em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
h1, h2, h3, h4, h5 { line-height: 1.25; margin: 0; }
p { margin: 0.5rem 0; max-width: 72ch; }
code, pre { font: 0.875em/1.6 ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, monospace; }
p code, td code, li code, header code { background: var(--code); border-radius: 4px; padding: 0.1em 0.35em; overflow-wrap: anywhere; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; z-index: 1; background: var(--page); padding: 0.5rem 1rem; }

.page { display: grid; grid-template-columns: 16.5rem minmax(0, 1fr); }
nav { position: sticky; top: 0; align-self: start; height: 100vh; overflow-y: auto; padding: 1.5rem 1rem 2rem 1.5rem; background: var(--side); border-right: 1px solid var(--line); font-size: 0.9rem; }
nav a { display: block; color: var(--text); text-decoration: none; padding: 0.2rem 0.5rem; border-radius: 6px; }
nav a:hover { background: var(--tint); color: var(--accent); }
nav ul { list-style: none; margin: 0 0 1.25rem; padding: 0; }
nav ul ul { margin: 0; }
nav h2 { font-size: 0.72rem; letter-spacing: 0.06em; text-transform: uppercase; margin: 0 0 0.25rem; }
nav h2 a { color: var(--soft); }
.brand, .sign-in h1 { font-size: 1.1rem; font-weight: 700; letter-spacing: -0.01em; }
nav .brand { margin-bottom: 1rem; }
.brand span, .sign-in h1 span { color: var(--accent); }

main { padding: 2.5rem clamp(1.25rem, 4vw, 4rem) 6rem; max-width: 90rem; }
header { padding-bottom: 1rem; }
h1 { font-size: 2.1rem; letter-spacing: -0.02em; }
.lead { font-size: 1.2rem; color: var(--soft); }
main h2 { font-size: 1.5rem; letter-spacing: -0.01em; padding-top: 2.5rem; margin-top: 1.5rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.15rem; padding-top: 1.75rem; }
h5 { font-size: 0.95rem; margin: 1.5rem 0 0.5rem; }
.tag > p { color: var(--soft); margin: 0.25rem 0 0.75rem; }
footer { margin-top: 4rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--soft); font-size: 0.9rem; }
.button, button { display: inline-block; font: inherit; font-weight: 600; border: 1px solid var(--accent); border-radius: 8px; padding: 0.45rem 1rem; background: var(--accent); color: light-dark(#ffffff, #08130e); text-decoration: none; cursor: pointer; margin-top: 0.5rem; }
button.second { background: transparent; color: var(--accent); }

.columns { display: grid; grid-template-columns: minmax(0, 1.1fr) minmax(0, 1fr); gap: 2rem; }
.samples { align-self: start; position: sticky; top: 1rem; }
.panel { margin: 0.75rem 0; border-radius: 10px; overflow: hidden; background: #14191e; color: #dfe7e3; border: 1px solid #2a3138; }
.panel figcaption { padding: 0.4rem 0.9rem; font-size: 0.75rem; color: #9eaaa4; background: #1b2127; border-bottom: 1px solid #2a3138; }
.panel pre { margin: 0; padding: 0.8rem 0.9rem; overflow: auto; max-height: 26rem; font-size: 0.8rem; }
.panel code { white-space: pre; }

.wide { overflow-x: auto; margin: 0.75rem 0; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
th { text-align: left; font-weight: 600; color: var(--soft); font-size: 0.8rem; }
th, td { padding: 0.45rem 0.9rem 0.45rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td:first-child { white-space: nowrap; width: 1%; }
td code { white-space: nowrap; }

.operation { border: 1px solid var(--line); border-radius: 10px; margin: 0.5rem 0; }
.operation > summary { display: flex; align-items: baseline; gap: 0.75rem; padding: 0.6rem 0.9rem; cursor: pointer; list-style: none; border-radius: 10px; }
.operation > summary::-webkit-details-marker { display: none; }
.operation > summary:hover { background: var(--side); }
.operation[open] > summary { background: var(--side); border-radius: 10px 10px 0 0; border-bottom: 1px solid var(--line); }
.operation:target { border-color: var(--accent); }
.operation > .columns { padding: 0.5rem 1.1rem 1.25rem; }
h4 { flex: 1; display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.75rem; font-size: 0.95rem; font-weight: 400; min-width: 0; }
h4 code { font-weight: 600; overflow-wrap: anywhere; }
h4 .summary { color: var(--soft); }
.method { font: 700 0.72rem/1.4 ui-monospace, "SF Mono", Menlo, Consolas, monospace; width: 3.6rem; flex: none; }
.method.get { color: var(--get); }
.method.post { color: var(--post); }
.method.put, .method.patch { color: var(--put); }
.method.delete { color: var(--delete); }
.badge { flex: none; font-size: 0.75rem; border: 1px solid var(--line); border-radius: 99px; padding: 0.05rem 0.6rem; color: var(--soft); white-space: nowrap; }
.badge.free { color: var(--accent); border-color: currentColor; }
.status { font: 600 0.85em ui-monospace, "SF Mono", Menlo, Consolas, monospace; color: var(--delete); }
.status.good { color: var(--accent); }
.type { font-size: 0.82rem; font-weight: 400; color: var(--soft); }
.required { font-size: 0.75rem; color: var(--delete); }
.fix { display: block; color: var(--soft); }
a.code { font: 0.82em ui-monospace, "SF Mono", Menlo, Consolas, monospace; white-space: nowrap; text-decoration: none; background: var(--tint); border-radius: 4px; padding: 0.1em 0.4em; }
a.code:hover { text-decoration: underline; text-underline-offset: 0.35em; }
.more > summary { cursor: pointer; color: var(--soft); font-size: 0.9rem; margin-top: 0.75rem; }
.members { list-style: none; margin: 0.25rem 0; padding: 0; border-top: 1px solid var(--line); font-size: 0.9rem; }
.members + .members { border-top: 0; margin-top: -0.25rem; }
.members .members { margin: 0.4rem 0 0 0.25rem; padding-left: 0.9rem; border-top: 0; border-left: 2px solid var(--line); }
.members > li { padding: 0.45rem 0; border-bottom: 1px solid var(--line); }
.members .members > li:last-child { border-bottom: 0; }
.members p { margin: 0.15rem 0; color: var(--soft); }
.values { line-height: 1.9; }
.or { color: var(--soft); margin: 0.75rem 0 0.25rem; font-size: 0.9rem; }

.sign-in { max-width: 34rem; margin: 14vh auto 0; padding: 0 1.5rem 4rem; }
.sign-in label { display: block; font-weight: 600; margin: 1.5rem 0 0.35rem; }
.sign-in input { width: 100%; font: inherit; padding: 0.55rem 0.75rem; border: 1px solid var(--soft); border-radius: 8px; background: var(--page); color: var(--text); }
.sign-in .error { color: var(--delete); }
.sign-in .note { color: var(--soft); font-size: 0.9rem; margin-top: 1.5rem; }
.buttons { display: flex; flex-wrap: wrap; gap: 0.75rem; margin-top: 0.75rem; }

@media (max-width: 70rem) {
  .columns { grid-template-columns: minmax(0, 1fr); gap: 0.5rem; }
  .samples { position: static; }
}
@media (max-width: 50rem) {
  .page { grid-template-columns: minmax(0, 1fr); }
  nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); }
  nav ul { display: flex; flex-wrap: wrap; margin-bottom: 0.6rem; }
  .operation > summary { flex-wrap: wrap; gap: 0.2rem 0.6rem; }
  h4 { flex-basis: 100%; order: 1; }
  .method { width: auto; }
  td:first-child { white-space: normal; }
}
@media print {
  nav, .skip { display: none; }
  .page, .columns { display: block; }
}
`;
