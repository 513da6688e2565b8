// Formats numbers in English texts.

/** `1240` → `1,240`. */
export const formatNumber = (number: number): string => number.toLocaleString('en');

/** `1 row`, `1,240 rows`. */
export const formatCount = (number: number, singular: string, plural = `${singular}s`): string =>
  `${formatNumber(number)} ${number === 1 ? singular : plural}`;

/**
 * Adds the sheet to a title that several tables have, unless it says the same.
 * @param titles - those of all tables
 */
export const distinguishTitle = (title: string, sheet: string, titles: readonly string[]): string =>
  title !== sheet && titles.filter((each) => each === title).length > 1 ? `${title} (${sheet})` : title;
