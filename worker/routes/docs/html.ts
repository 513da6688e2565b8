// Small pieces of HTML that the reference page is made of.
import { html } from 'hono/html';

/** A piece of HTML, escaped. */
export type Html = ReturnType<typeof html>;

export const emptyHtml: Html = html``;

/** Words between backticks are code, empty lines part paragraphs. */
export function renderParagraphs(text: string): Html {
  return html`${text.split('\n\n').map((paragraph) => html`<p>${renderInline(paragraph)}</p>`)}`;
}

/** A line of text; words between backticks are code. */
export function renderInline(text: string): Html {
  return html`${text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** A block of code under a heading of one line. */
export function renderPanel(title: string, text: string): Html {
  return html`<figure class="panel"><figcaption>${title}</figcaption><pre tabindex="0"><code>${text}</code></pre></figure>`;
}

/** A table in a box that scrolls by itself where it is too wide. */
export function renderTable(heading: readonly string[], rows: readonly (readonly (Html | string)[])[]): Html {
  return html`<div class="wide" tabindex="0"><table><thead><tr>${heading.map(
    (cell) => html`<th scope="col">${cell}</th>`,
  )}</tr></thead><tbody>${rows.map(
    (row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}
