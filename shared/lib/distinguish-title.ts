// Distinguishes tables with the same title by their sheets.

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
