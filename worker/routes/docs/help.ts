// Renders the troubleshooting page. It is public: it explains symptoms and has nothing of the data or its structure.
import { html } from 'hono/html';
import { HELP_PATH } from '../../../shared/help-path.ts';
import { problems } from '../../../shared/problems.ts';
import { type TroubleshootingEntry, troubleshooting } from '../../../shared/troubleshooting.ts';
import { type Html, renderInline, renderTable } from './html.ts';
import { renderLayout } from './page.ts';

function renderEntry({ id, symptom, codes, aliases = [], steps }: TroubleshootingEntry): Html {
  const rows = codes.map((code) => [
    html`<code>${code}</code>`,
    html`${problems[code].title} <span class="fix">${problems[code].fix}</span>`,
  ]);
  const anchors = [...codes, ...aliases].filter((anchor) => anchor !== id);
  return html`<section id="${id}">${anchors.map((anchor) => html`<span id="${anchor}"></span>`)}<h2>${renderInline(
    symptom,
  )}</h2><ul>${steps.map((step) => html`<li>${renderInline(step)}</li>`)}</ul>${
    rows.length === 0 ? '' : renderTable(['Problem', 'What happened, and what to do'], rows)
  }</section>`;
}

/** Renders the page. */
export async function renderHelpPage(): Promise<string> {
  const page = renderLayout(
    'CDAPI for Sheets: troubleshooting',
    html`<a class="skip" href="#main">Skip to the contents</a>
<div class="page" id="top"><nav aria-label="Contents"><a class="brand" href="${HELP_PATH}">CDAPI <span>help</span></a>
<ul>${troubleshooting.map(({ id, symptom }) => html`<li><a href="#${id}">${renderInline(symptom)}</a></li>`)}</ul></nav>
<main id="main"><header><h1>Troubleshooting</h1><p class="lead">Find what you see. The first step is the most likely one.</p></header>
${troubleshooting.map(renderEntry)}</main></div>`,
  );
  return String(await page);
}
