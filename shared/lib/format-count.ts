// Formats numbers, in English unless a locale is given.

/** `1240` → `1,240`. */
export const formatNumber = (number: number, locale = 'en'): string => number.toLocaleString(locale);

/** Chooses the form of a word: `row` for 1, else `rows`. */
export const plural = (number: number, one: string, many = `${one}s`): string => (number === 1 ? one : many);

/** `1 row`, `1,240 rows`. */
export const formatCount = (number: number, one: string, many?: string): string =>
  `${formatNumber(number)} ${plural(number, one, many)}`;

/** `0.824` → `82% likely`. */
export const formatConfidence = (confidence: number): string => `${Math.floor(confidence * 100)}% likely`;

/**
 * Adds the sheet to a title that several tables have, unless it says the same.
 * @param titles - those of all tables
 */
export const distinguishTitle = (title: string, sheet: string, titles: readonly string[]): string =>
  title !== sheet && titles.filter((each) => each === title).length > 1 ? `${title} (${sheet})` : title;

/** Adds a number to a name that is taken: `Leads 2`. */
export function addNumber(base: string, isTaken: (name: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base} ${number}`;
    if (!isTaken(name)) return name;
  }
}
