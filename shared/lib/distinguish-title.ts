// Distinguishes tables with the same title by their sheets.

/**
 * Adds the sheet to a title that several tables have, unless it says the same.
 * @param titles - those of all tables
 */
export const distinguishTitle = (title: string, sheet: string, titles: readonly string[]): string =>
  title !== sheet && titles.filter((each) => each === title).length > 1 ? `${title} (${sheet})` : title;
