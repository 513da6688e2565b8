// Formats numbers in the texts of the playground.

/** Formats a number with its noun, such as `1,240 rows`. */
export const formatCount = (number: number, singular: string, plural = `${singular}s`): string =>
  `${number.toLocaleString('en')} ${number === 1 ? singular : plural}`;
