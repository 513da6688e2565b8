// Reads bodies as the service does: strictly decoded, with the position of errors, and duplicate keys of JSON.
import { visit } from 'jsonc-parser';
import { isObject } from '../../../shared/lib/is-object.ts';
import { parseExactly } from '../../lib/exact-json.ts';
import { describeJsonIssue } from '../../lib/json-issue.ts';
import { decodeBody, decodeForm } from '../../lib/request-text.ts';
import { validationError } from './service-errors.ts';

const readBytes = async (request: Request): Promise<Uint8Array> =>
  new Uint8Array(await request.arrayBuffer());

/** Reads a body as text. @throws RequestTextError */
export async function readText(request: Request): Promise<string> {
  return decodeBody(request.headers, await readBytes(request));
}

/** Reads a form. @throws RequestTextError */
export async function readForm(request: Request): Promise<FormData> {
  return decodeForm(request.headers, await readBytes(request));
}

/**
 * Parses a body.
 * @returns the value; integers beyond 2^53 are bigints
 * @throws ServiceError 422 if it is empty or invalid JSON; the location is the position of the error
 */
export function readJson(text: string): unknown {
  try {
    return parseExactly(text, BigInt);
  } catch {
    throw validationError(describeJsonIssue(text));
  }
}

/** Serialises JSON with sorted keys, so that equal queries give equal texts. */
export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'bigint') return String(part);
    return isObject(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part;
  });
}

/**
 * Finds a duplicate key in an object of a JSON text.
 * @param text - valid JSON
 * @param within - path of keys to the object; empty for the root
 * @returns undefined also if the text is nested too deeply to check
 */
export function findDuplicateKey(text: string, within: readonly string[]): string | undefined {
  const seen = new Set<string>();
  let duplicate: string | undefined;
  try {
    visit(text, {
      onObjectProperty: (key, _offset, _length, _line, _character, path) => {
        const place = path();
        if (place.length !== within.length || place.some((part, at) => part !== within[at])) return;
        if (seen.has(key)) duplicate ??= key;
        seen.add(key);
      },
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return duplicate;
}
