// Parses calls of the add-on's functions in the text of a formula.
import { maskQuoted } from './formula-cells.ts';

/** A call of the add-on up to its opening bracket. Search the masked formula. */
export const CALL = /(?<![\w.])(CDAPI_[A-Z]+)\s*\(/gi;

export interface CallArguments {
  texts: string[];
  separator: string;
  /** Position of the closing bracket. */
  end: number;
}

/**
 * Splits the arguments of a call. A call with at most one argument gets semicolons, which Sheets accepts in every
 * locale.
 * @param masked - the formula with its quoted parts masked
 * @param start - the position after the opening bracket
 * @returns undefined if the bracket is not closed
 */
export function splitArguments(formula: string, masked: string, start: number): CallArguments | undefined {
  const found: Record<',' | ';', number[]> = { ',': [], ';': [] };
  let depth = 0;
  let end = start;
  for (; end < masked.length && depth >= 0; end += 1) {
    const character = masked.charAt(end);
    if (/[([{]/.test(character)) depth += 1;
    else if (/[)\]}]/.test(character)) depth -= 1;
    else if (depth === 0 && (character === ',' || character === ';')) found[character].push(end);
  }
  if (depth >= 0) return undefined;
  const separator = found[';'].length === 0 && found[','].length > 0 ? ',' : ';';
  const edges = [start - 1, ...found[separator], end - 1];
  const texts = edges.slice(1).map((edge, at) => formula.slice((edges[at] ?? 0) + 1, edge).trim());
  return { texts: texts.length === 1 && texts[0] === '' ? [] : texts, separator, end: end - 1 };
}

/** Returns the separator of the first call in a formula; a semicolon if it has at most one argument. */
function getSeparator(formula: string): string {
  const masked = maskQuoted(formula);
  const [call] = masked.matchAll(CALL);
  const start = (call?.index ?? 0) + (call?.[0].length ?? 0);
  return splitArguments(formula, masked, start)?.separator ?? ';';
}

const HIDDEN = /^=[^("]+\(1[;,]\s*"#PENDING"[;,]\s*(.+)\)$/s;

/**
 * Returns a formula that shows only #PENDING and keeps this one in its text. An interrupted execution loses nothing:
 * the open sidebar and *Refresh selection* run formulas with #PENDING again, without the wrapper.
 */
export function hideResult(formula: string): string {
  const separator = getSeparator(formula);
  return `=IF(${['1', '"#PENDING"', formula.slice(1)].join(`${separator} `)})`;
}

/** Returns the formula in the text of a hidden one; other formulas unchanged. */
export function showResult(formula: string): string {
  const [, shown] = HIDDEN.exec(formula) ?? [];
  return shown === undefined ? formula : `=${shown}`;
}
