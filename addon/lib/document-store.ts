// Stores the add-on's state of a spreadsheet as JSON in its document properties.

import { t } from '../texts/texts.ts';
import { AddonError, createError } from './addon-error.ts';
import { type Guard, parseAs, parseJson } from './json.ts';

/** Apps Script allows 9 KB per value. Texts are stored in ASCII, where a character is one byte. */
const CHUNK_CHARACTERS = 9000;
const NOT_ASCII = /[^\0-\x7f]/g;

const NO_DOCUMENT = 'Tables can’t be saved here. Open the spreadsheet itself and try again there.';
const STORE_FULL =
  'This spreadsheet’s storage is full. Under Tables, stop tracking tables that you no longer need, then try again.';
const STORE_FAILED = 'Google could not save this spreadsheet’s tables. Try again in a minute.';

/** Apps Script allows 500 KB per store: https://developers.google.com/apps-script/guides/services/quotas. */
const STORE_BYTES = 500 * 1024;

/** A chunked text starts with the number of its chunks. */
const CHUNK_COUNT = /^(\d{1,4})\|/;

const toChunkName = (name: string, at: number): string => (at === 0 ? name : `${name}#${at}`);

/** Returns the document's properties; null where a script runs without its document, or may not use them. */
export function getDocumentProperties(): GoogleAppsScript.Properties.Properties | null {
  try {
    return PropertiesService.getDocumentProperties();
  } catch {
    return null;
  }
}

/**
 * Returns the document's properties.
 * @throws AddonError if there are none
 */
function requireDocumentProperties(): GoogleAppsScript.Properties.Properties {
  const properties = getDocumentProperties();
  if (properties === null) throw createError('sheet_refused', NO_DOCUMENT);
  return properties;
}

/**
 * Lists stored names with a prefix.
 * @returns the names without the prefix; none without document properties
 */
export function listStoredNames(prefix: string): string[] {
  const properties = getDocumentProperties();
  const names = properties === null ? [] : properties.getKeys();
  return names
    .filter((name) => name.startsWith(prefix) && !name.includes('#'))
    .map((name) => name.slice(prefix.length));
}

/** Reads a stored text; undefined if it is missing or incomplete. */
export function readStoredText(name: string): string | undefined {
  const properties = getDocumentProperties();
  const first = properties?.getProperty(name) ?? '';
  const head = CHUNK_COUNT.exec(first);
  if (properties === null || head === null) return undefined;
  const parts = [first.slice(head[0].length)];
  for (let at = 1; at < Number(head[1]); at += 1) {
    const part = properties.getProperty(toChunkName(name, at));
    if (part === null) return undefined;
    parts.push(part);
  }
  return parts.join('');
}

/**
 * Writes a text of any length in chunks, in one call.
 * @param text - ASCII
 * @throws AddonError if the store is full or missing
 */
export function writeStoredText(name: string, text: string): void {
  const properties = requireDocumentProperties();
  const had = Number(CHUNK_COUNT.exec(properties.getProperty(name) ?? '')?.[1] ?? 0);
  const chunks = Math.max(1, Math.ceil(text.length / CHUNK_CHARACTERS));
  const values: Record<string, string> = {};
  for (let at = 0; at < chunks; at += 1) {
    const part = text.slice(at * CHUNK_CHARACTERS, (at + 1) * CHUNK_CHARACTERS);
    values[toChunkName(name, at)] = at === 0 ? `${chunks}|${part}` : part;
  }
  try {
    properties.setProperties(values, false);
  } catch {
    const stored = { ...properties.getProperties(), ...values };
    const size = Object.entries(stored).reduce((sum, [key, value]) => sum + key.length + value.length, 0);
    throw new AddonError('sheet_refused', size > STORE_BYTES ? t(STORE_FULL) : t(STORE_FAILED));
  }
  for (let at = chunks; at < had; at += 1) properties.deleteProperty(toChunkName(name, at));
}

export function deleteStored(name: string): void {
  const properties = getDocumentProperties();
  if (properties === null) return;
  const had = Number(CHUNK_COUNT.exec(properties.getProperty(name) ?? '')?.[1] ?? 1);
  for (let at = 0; at < had; at += 1) properties.deleteProperty(toChunkName(name, at));
}

/** Reads a stored JSON value; undefined if it is missing or unreadable. */
export const readStoredJson = (name: string): unknown => parseJson(readStoredText(name));

/** Reads a stored JSON value of a shape; undefined if it is missing or another one. */
export const readStored = <T>(name: string, isValid: Guard<T>): T | undefined =>
  parseAs(readStoredText(name), isValid);

/**
 * Writes a JSON value.
 * @throws AddonError as {@link writeStoredText}
 */
export function writeStoredJson(name: string, value: unknown): void {
  const escaped = (character: string): string =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  writeStoredText(name, JSON.stringify(value).replace(NOT_ASCII, escaped));
}
