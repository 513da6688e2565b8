// Ranges without a last row, such as `A2:A`, which Google Sheets knows and the grid's parser does not.

/** A text in quotes, or a range such as `A2:A`, which names no last row. */
const QUOTED_OR_OPEN_RANGE = /"[^"]*"|'[^']*'|(?<![\w.$])(\$?[A-Z]{1,3}\$?\d+:\$?[A-Z]{1,3})(?![\w.$(])/gi;

/**
 * Gives every range of a formula that runs to the end of its column its last row.
 * @param lastRow - counts from 1
 */
export function closeRanges(formula: string, lastRow: number): string {
  return formula.replace(QUOTED_OR_OPEN_RANGE, (whole, open?: string) =>
    open ? `${open}${lastRow}` : whole,
  );
}
