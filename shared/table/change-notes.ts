// Marks cells whose value an update changed: background colour and note. Add-on and Worker mark them alike.

export const changedCellColour = '#fff2cc';

/** Start of every change note. */
const NOTE_PREFIX = 'Was “';

/** Maximum length of the previous value in a note. */
const MAX_VALUE_LENGTH = 500;

/**
 * Formats the note of a changed cell.
 * @param shown - the previous value, as displayed
 * @param day - the day of the change: `2026-11-22`
 */
export function formatChangeNote(shown: string, day: string): string {
  return `${NOTE_PREFIX}${shown.slice(0, MAX_VALUE_LENGTH)}” until ${day}`;
}

/**
 * Checks whether a note marks a changed cell.
 * @param ignoredDays - days whose change notes do not count
 */
export function isChangeNote(note: string, ...ignoredDays: readonly string[]): boolean {
  return note.startsWith(NOTE_PREFIX) && !ignoredDays.some((day) => note.endsWith(` until ${day}`));
}
