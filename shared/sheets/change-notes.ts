// How a cell is marked whose value an update has changed, whoever wrote it.

/** The background of such a cell. */
export const changedCellColour = '#fff2cc';

/** Its note begins so. */
const NOTE_PREFIX = 'Was “';

/** The most characters of the value before that the note shows. */
const MAX_VALUE_LENGTH = 500;

/**
 * What the note of a changed cell says.
 * @param shown - the value before, as people read it
 * @param day - on which it changed: `2026-11-22`
 */
export function formatChangeNote(shown: string, day: string): string {
  return `${NOTE_PREFIX}${shown.slice(0, MAX_VALUE_LENGTH)}” until ${day}`;
}

/**
 * Is a note one of a changed cell?
 * @param but - days that don't count
 */
export function isChangeNote(note: string, ...but: readonly string[]): boolean {
  return note.startsWith(NOTE_PREFIX) && !but.some((day) => note.endsWith(` until ${day}`));
}
