// Reads JSON bodies as the service does: reports the position of syntax errors and finds duplicate keys.
import { visit } from 'jsonc-parser';
import { validationError } from './service-errors.ts';

/** Finds the first byte that a lenient decoder changes. */
function findInvalidByte(bytes: Uint8Array): number {
  const lenient = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(bytes);
  return new TextEncoder().encode(lenient).findIndex((byte, at) => byte !== bytes[at]);
}

/**
 * Reads a body as text.
 * @throws ServiceError 422 if it is not UTF-8; the location is the position of the first invalid byte
 */
export async function readText(request: Request): Promise<string> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    const position = findInvalidByte(bytes);
    const msg = `Invalid UTF-8 (byte ${position})`;
    throw validationError({ loc: ['body', position], msg, type: 'value_error.jsondecode' });
  }
}

const STRICT = { disallowComments: true, allowTrailingComma: false } as const;

/** Returns the position of the first syntax error, or the end of the text if the parser can't say. */
function findSyntaxError(text: string): number {
  let fault = text.length;
  try {
    visit(text, { onError: (_error, offset) => (fault = Math.min(fault, offset)) }, STRICT);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return fault;
}

function createJsonDecodeError(text: string): ReturnType<typeof validationError> {
  const position = findSyntaxError(text);
  const before = text.slice(0, position).split('\n');
  const place = `line ${before.length} column ${(before.at(-1)?.length ?? 0) + 1} (char ${position})`;
  return validationError({
    loc: ['body', position],
    msg: `Expecting value: ${place}`,
    type: 'value_error.jsondecode',
    ctx: {
      msg: 'Expecting value',
      pos: position,
      lineno: before.length,
      colno: (before.at(-1)?.length ?? 0) + 1,
    },
  });
}

/**
 * Parses a body.
 * @throws ServiceError 422 if it is empty or invalid JSON; the location is the position of the error
 */
export function readJson(text: string): unknown {
  if (text.trim() === '') {
    throw validationError({ loc: ['body'], msg: 'field required', type: 'value_error.missing' });
  }
  try {
    return JSON.parse(text);
  } catch {
    throw createJsonDecodeError(text);
  }
}

/**
 * Finds a duplicate key in an object of a JSON text.
 * @param text - valid JSON
 * @param within - path of keys to the object; empty for the root
 * @returns undefined also if the text is nested too deeply to check
 */
export function findDuplicateKey(text: string, within: readonly string[] = []): string | undefined {
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
