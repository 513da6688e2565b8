// Formats Markdown of generated pages.

/** Formats a table. Escapes pipes, which would end a cell. */
export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const formatLine = (cells: readonly string[]): string =>
    `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
  return [formatLine(headings), `|${'---|'.repeat(headings.length)}`, ...rows.map(formatLine)].join('\n');
}

/** Separates the blocks of a page by blank lines. */
export const formatPage = (blocks: readonly string[]): string => `${blocks.join('\n\n')}\n`;
