// Reads a JSON body as the service does: it says where broken JSON breaks, and finds a key that stands twice.
import { visit } from 'jsonc-parser';
import { validationError } from './service-errors.ts';

/** Where a text that was read leniently differs first from what came. */
function findInvalidByte(bytes: Uint8Array): number {
  const lenient = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(bytes);
  return new TextEncoder().encode(lenient).findIndex((byte, at) => byte !== bytes[at]);
}

/**
 * Reads a body as text.
 * @throws ServiceError 422 where it is not UTF-8; the location is the place of the first broken byte
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

/** The place of the first fault; the end where the reader itself can't say. */
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
 * Reads a body.
 * @throws ServiceError 422 where it is empty or no JSON; the location is the place of the fault
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
 * Finds a key that stands twice in an object of a JSON text.
 * @param text - JSON that {@link readJson} has read
 * @param within - the keys that lead to the object; the outermost if there are none
 * @returns undefined also where the text is nested too deep to be looked through
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
