// Formats numbers in English texts.

/** `1240` → `1,240`. */
export const formatNumber = (number: number): string => number.toLocaleString('en');

/** Chooses the form of a word: `row` for 1, else `rows`. */
export const plural = (number: number, one: string, many = `${one}s`): string => (number === 1 ? one : many);

/** `1 row`, `1,240 rows`. */
export const formatCount = (number: number, one: string, many?: string): string =>
  `${formatNumber(number)} ${plural(number, one, many)}`;
