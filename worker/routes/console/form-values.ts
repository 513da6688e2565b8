// Converts the texts of forms to the values of the admin API, which validates them.
import type { FormValues } from './context.ts';

/** Reads a text without surrounding spaces. */
export const readText = (form: FormValues, name: string): string => form.get(name)?.trim() ?? '';

/**
 * Reads a number. An empty field is null: no limit. Another text stays a text, which the admin API refuses.
 * Spaces and commas between digits are ignored.
 */
export function readNumber(form: FormValues, name: string): number | string | null {
  const text = readText(form, name).replaceAll(/(?<=\d)[ ,](?=\d)/g, '');
  if (text === '') return null;
  return /^-?\d+$/.test(text) ? Number(text) : text;
}

/** Reads a switch. */
export const readSwitch = (form: FormValues, name: string): boolean => form.has(name);

/** Reads a choice of several. None is null: all. */
export function readChoices(form: FormValues, name: string): string[] | null {
  const chosen = form.getAll(name);
  return chosen.length === 0 ? null : chosen;
}
