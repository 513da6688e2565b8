// Reads the words of a text filter as known values of its field: `germany OR usa` finds what records spell otherwise.
import { type Expression, ExpressionError, parseExpression } from './filter-expressions.ts';
import { getSpellings } from './known-values.ts';

/** Signs that would end a word. */
const NEEDS_QUOTES = /[()"]/;

function formatExpression(expression: Expression): string {
  switch (expression.kind) {
    case 'words':
      return NEEDS_QUOTES.test(expression.text) ? `"${expression.text}"` : expression.text;
    case 'phrase':
      return `"${expression.text}"`;
    case 'prefix':
      return `${expression.text}*`;
    default:
      return expression.parts
        .map((part) => `(${formatExpression(part)})`)
        .join(expression.kind === 'or' ? ' OR ' : ' AND ');
  }
}

/** Spellings of a word or a phrase; undefined where it stays as it is. */
function expandSpellings(
  path: string,
  { kind, text }: { kind: 'words' | 'phrase'; text: string },
): Expression[] | undefined {
  const spellings = getSpellings(path, text);
  const isSame = spellings.length === 1 && spellings[0] === text;
  return isSame ? undefined : spellings.map((spelling) => ({ kind, text: spelling }));
}

/** The same for words and for a phrase of them: a known value is both. */
const getFingerprint = (expression: Expression): string =>
  expression.kind === 'words' || expression.kind === 'phrase' ? expression.text : JSON.stringify(expression);

const combineAlternatives = (parts: Expression[]): Expression => {
  const prints = parts.map(getFingerprint);
  const different = parts.filter((_, at) => prints.indexOf(prints[at] ?? '') === at);
  const [only] = different;
  return different.length === 1 && only !== undefined ? only : { kind: 'or', parts: different };
};

/**
 * Puts the spellings of records in place of known values.
 * @param path - of the index field, or the name of the filter
 * @returns the expression itself where nothing in it changes
 */
export function expandKnownValues(path: string, expression: Expression): Expression {
  if (expression.kind === 'prefix') return expression;
  if (expression.kind === 'words' || expression.kind === 'phrase') {
    const spellings = expandSpellings(path, { kind: expression.kind, text: expression.text });
    return spellings === undefined ? expression : combineAlternatives(spellings);
  }
  const { kind, parts: before } = expression;
  const parts = before.map((part) => expandKnownValues(path, part));
  if (parts.every((part, at) => part === before[at])) return expression;
  if (kind === 'and') return { kind, parts };
  const changed = combineAlternatives(parts.flatMap((part) => (part.kind === 'or' ? part.parts : part)));
  // Spellings that stand side by side already are what they would become.
  const isSame =
    changed.kind === 'or' &&
    changed.parts.length === before.length &&
    changed.parts.every((part, at) => getFingerprint(part) === getFingerprint(before[at] ?? part));
  return isSame ? expression : changed;
}

/**
 * The text of a filter with known values as records spell them.
 * @param text - words with AND, OR, groups, "phrases" and a trailing *; one that can't be read is given back
 */
export function expandKnownValuesInText(path: string, text: string): string {
  // A name with signs of its own, such as one with brackets, is not to be read as an expression.
  const whole = expandSpellings(path, { kind: 'words', text });
  if (whole !== undefined) return formatExpression(combineAlternatives(whole));
  try {
    const expression = parseExpression(text);
    const known = expandKnownValues(path, expression);
    return known === expression ? text : formatExpression(known);
  } catch (error) {
    if (error instanceof ExpressionError) return text;
    throw error;
  }
}
