// Support for open ranges such as `A2:A`, which Univer's parser rejects.

/** A quoted text, or an open range such as `A2:A`. */
const QUOTED_OR_OPEN_RANGE = /"[^"]*"|'[^']*'|(?<![\w.$])(\$?[A-Z]{1,3}\$?\d+:\$?[A-Z]{1,3})(?![\w.$(])/gi;

/**
 * Adds the last row to every open range of a formula.
 * @param lastRow - 1-based
 */
export function closeRanges(formula: string, lastRow: number): string {
  return formula.replace(QUOTED_OR_OPEN_RANGE, (whole, open?: string) =>
    open ? `${open}${lastRow}` : whole,
  );
}
