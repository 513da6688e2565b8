// What the add-on remembers of a spreadsheet, as JSON in its document properties.

import { Refusal } from './addon-error.ts';
import { readJson } from './json.ts';

/** Apps Script quotas: 9 KB a value. Texts are kept in ASCII, where a character is a byte. */
const CHUNK_CHARACTERS = 9000;
const NOT_ASCII = /[^\0-\x7f]/g;

const NOWHERE = 'This spreadsheet can’t remember its tables here. Open the spreadsheet itself and try there.';
const FULL =
  'This spreadsheet remembers as much as Google allows. Forget tables that you no longer need, under Tables, and try again.';
const REFUSED = 'Google could not keep what this spreadsheet remembers. Try again in a minute.';

/** A chunked text starts with how many chunks it has. */
const HEAD = /^(\d{1,4})\|/;

const chunkName = (name: string, at: number): string => (at === 0 ? name : `${name}#${at}`);

/**
 * The document's properties.
 * @throws Refusal where there are none
 */
export function documentProperties(): GoogleAppsScript.Properties.Properties {
  const properties: GoogleAppsScript.Properties.Properties | null = PropertiesService.getDocumentProperties();
  if (properties === null) throw new Refusal('sheet_refused', NOWHERE);
  return properties;
}

/**
 * The names under which something is kept.
 * @param prefix - what they begin with
 * @returns what follows the prefix; none where there are no document properties
 */
export function keptNames(prefix: string): string[] {
  const properties: GoogleAppsScript.Properties.Properties | null = PropertiesService.getDocumentProperties();
  const names = properties === null ? [] : properties.getKeys();
  return names
    .filter((name) => name.startsWith(prefix) && !name.includes('#'))
    .map((name) => name.slice(prefix.length));
}

/** A text as it was kept; undefined where nothing or only a part of it is there. */
export function keptText(name: string): string | undefined {
  const properties: GoogleAppsScript.Properties.Properties | null = PropertiesService.getDocumentProperties();
  const first = properties?.getProperty(name) ?? '';
  const head = HEAD.exec(first);
  if (properties === null || head === null) return undefined;
  const parts = [first.slice(head[0].length)];
  for (let at = 1; at < Number(head[1]); at += 1) {
    const part = properties.getProperty(chunkName(name, at));
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
export function keepText(name: string, text: string): void {
  const properties = documentProperties();
  const had = Number(HEAD.exec(properties.getProperty(name) ?? '')?.[1] ?? 0);
  const chunks = Math.max(1, Math.ceil(text.length / CHUNK_CHARACTERS));
  const values: Record<string, string> = {};
  for (let at = 0; at < chunks; at += 1) {
    const part = text.slice(at * CHUNK_CHARACTERS, (at + 1) * CHUNK_CHARACTERS);
    values[chunkName(name, at)] = at === 0 ? `${chunks}|${part}` : part;
  }
  try {
    properties.setProperties(values, false);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal('sheet_refused', /quota|too large/i.test(reason) ? FULL : REFUSED);
  }
  for (let at = chunks; at < had; at += 1) properties.deleteProperty(chunkName(name, at));
}

/** Forgets what is kept under a name. */
export function forgetKept(name: string): void {
  const properties: GoogleAppsScript.Properties.Properties | null = PropertiesService.getDocumentProperties();
  if (properties === null) return;
  const had = Number(HEAD.exec(properties.getProperty(name) ?? '')?.[1] ?? 1);
  for (let at = 0; at < had; at += 1) properties.deleteProperty(chunkName(name, at));
}

/** What is kept under a name as JSON; undefined where nothing that can be read is. */
export function keptJson(name: string): unknown {
  return readJson(keptText(name) ?? '');
}

/**
 * Keeps a value as JSON.
 * @throws Refusal as {@link keepText}
 */
export function keepJson(name: string, value: unknown): void {
  const escaped = (character: string): string =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  keepText(name, JSON.stringify(value).replace(NOT_ASCII, escaped));
}
