// Plain tables for a terminal: the first column to the left, figures to the right.

/** A table; each row has as many cells as there are columns. */
export interface Table {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

/**
 * Writes a table.
 * @returns lines without trailing blanks, joined by line ends
 */
export function formatTable({ columns, rows }: Table): string {
  const lines = [columns, ...rows];
  const widths = columns.map((_, column) => Math.max(...lines.map((cells) => (cells[column] ?? '').length)));
  const formatLine = (cells: readonly string[]): string =>
    widths
      .map((width, column) => {
        const cell = cells[column] ?? '';
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd();
  return [
    formatLine(columns),
    widths.map((width) => '─'.repeat(width)).join('  '),
    ...rows.map(formatLine),
  ].join('\n');
}
