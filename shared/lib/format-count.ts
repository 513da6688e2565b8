// Formats numbers in English texts.

/** `1240` → `1,240`. */
export const formatNumber = (number: number): string => number.toLocaleString('en');

/** `1 row`, `1,240 rows`. */
export const formatCount = (number: number, singular: string, plural = `${singular}s`): string =>
  `${formatNumber(number)} ${number === 1 ? singular : plural}`;
