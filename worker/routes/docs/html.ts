// HTML building blocks of the reference page.
import { html } from 'hono/html';

/** Escaped HTML. */
export type Html = ReturnType<typeof html>;

export const emptyHtml: Html = html``;

/** Renders paragraphs, separated by empty lines. Text between backticks is code. */
export function renderParagraphs(text: string): Html {
  return html`${text.split('\n\n').map((paragraph) => html`<p>${renderInline(paragraph)}</p>`)}`;
}

/** Renders a line of text. Text between backticks is code. */
export function renderInline(text: string): Html {
  return html`${text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** Renders a code block with a caption. */
export function renderPanel(title: string, text: string): Html {
  return html`<figure class="panel"><figcaption>${title}</figcaption><pre tabindex="0"><code>${text}</code></pre></figure>`;
}

/** Renders a table that scrolls horizontally. */
export function renderTable(heading: readonly string[], rows: readonly (readonly (Html | string)[])[]): Html {
  return html`<div class="wide" tabindex="0"><table><thead><tr>${heading.map(
    (cell) => html`<th scope="col">${cell}</th>`,
  )}</tr></thead><tbody>${rows.map(
    (row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}
