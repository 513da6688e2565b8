// Markdown of the generated pages.

/** Formats a table. Pipes, which would end a cell, are escaped. */
export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const formatLine = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [formatLine(headings), `|${'---|'.repeat(headings.length)}`, ...rows.map(formatLine)].join('\n');
}
