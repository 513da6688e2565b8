// Formats plain-text tables: the first column left-aligned, figures right-aligned.

/** A table; every row has one cell per column. */
export interface Table {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

/** Formats a table. @returns lines without trailing blanks */
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
