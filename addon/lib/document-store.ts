// What the add-on remembers of a spreadsheet, as JSON in its document properties.

import { AddonError } from './addon-error.ts';
import { parseJson } from './json.ts';

/** Apps Script quotas: 9 KB a value. Texts are kept in ASCII, where a character is a byte. */
const CHUNK_CHARACTERS = 9000;
const NOT_ASCII = /[^\0-\x7f]/g;

const NO_DOCUMENT =
  'This spreadsheet can’t remember its tables here. Open the spreadsheet itself and try there.';
const STORE_FULL =
  'This spreadsheet remembers as much as Google allows. Forget tables that you no longer need, under Tables, and try again.';
const STORE_FAILED = 'Google could not keep what this spreadsheet remembers. Try again in a minute.';

/** A chunked text starts with how many chunks it has. */
const CHUNK_COUNT = /^(\d{1,4})\|/;

const toChunkName = (name: string, at: number): string => (at === 0 ? name : `${name}#${at}`);

/**
 * The document's properties.
 * @throws Refusal where there are none
 */
export function requireDocumentProperties(): GoogleAppsScript.Properties.Properties {
  const properties: GoogleAppsScript.Properties.Properties | null = PropertiesService.getDocumentProperties();
  if (properties === null) throw new AddonError('sheet_refused', NO_DOCUMENT);
  return properties;
}

/**
 * The names under which something is kept.
 * @param prefix - what they begin with
 * @returns what follows the prefix; none where there are no document properties
 */
export function listStoredNames(prefix: string): string[] {
  const properties: GoogleAppsScript.Properties.Properties | null = PropertiesService.getDocumentProperties();
  const names = properties === null ? [] : properties.getKeys();
  return names
    .filter((name) => name.startsWith(prefix) && !name.includes('#'))
    .map((name) => name.slice(prefix.length));
}

/** A text as it was kept; undefined where nothing or only a part of it is there. */
export function readStoredText(name: string): string | undefined {
  const properties: GoogleAppsScript.Properties.Properties | null = PropertiesService.getDocumentProperties();
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
 * Keeps a text of any length in chunks, all of them in one call.
 * @param text - of ASCII
 * @throws Refusal where there is no room or nowhere to keep it
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
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AddonError('sheet_refused', /quota|too large/i.test(reason) ? STORE_FULL : STORE_FAILED);
  }
  for (let at = chunks; at < had; at += 1) properties.deleteProperty(toChunkName(name, at));
}

/** Forgets what is kept under a name. */
export function deleteStored(name: string): void {
  const properties: GoogleAppsScript.Properties.Properties | null = PropertiesService.getDocumentProperties();
  if (properties === null) return;
  const had = Number(CHUNK_COUNT.exec(properties.getProperty(name) ?? '')?.[1] ?? 1);
  for (let at = 0; at < had; at += 1) properties.deleteProperty(toChunkName(name, at));
}

/** What is kept under a name as JSON; undefined where nothing that can be read is. */
export function readStoredJson(name: string): unknown {
  return parseJson(readStoredText(name) ?? '');
}

/**
 * Keeps a value as JSON.
 * @throws Refusal as {@link writeStoredText}
 */
export function writeStoredJson(name: string, value: unknown): void {
  const escaped = (character: string): string =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  writeStoredText(name, JSON.stringify(value).replace(NOT_ASCII, escaped));
}
