// Decodes the text of requests strictly: bodies, forms and percent-encoding. Invalid text is refused, never repaired. Gateway and
// sandbox share it, so that both refuse the same requests with the same errors.

/** A validation error in the service's 422 format. */
export interface TextIssue {
  loc: (string | number)[];
  msg: string;
  type: string;
}

/** Refuses a request whose text can't be decoded: 415 for a compressed body, otherwise 422. */
export class RequestTextError extends Error {
  override name = 'RequestTextError';
  readonly status: 415 | 422;
  /** The service's error body. */
  readonly body: { detail: string | TextIssue[] };

  /** @param issue - the message of a 415, or the issue of a 422 */
  constructor(issue: string | TextIssue) {
    super(typeof issue === 'string' ? issue : issue.msg);
    this.status = typeof issue === 'string' ? 415 : 422;
    this.body = { detail: typeof issue === 'string' ? issue : [issue] };
  }
}

const COMPRESSED = 'The body is compressed. Send it without Content-Encoding.';
const NO_ENCODING = /^\s*(?:identity\s*)?$/i;

const DEFAULT_CHARSET = 'utf-8';
/** A parameter of a media type, quoted or not. RFC 9110, 5.6.6. */
const PARAMETER = /;\s*([^\s;="]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*))/g;

/** Returns a parameter of a media type; the first one if it is repeated. */
function findParameter(mediaType: string, wanted: string): string | undefined {
  for (const [, name = '', quoted, plain] of mediaType.matchAll(PARAMETER))
    if (name.toLowerCase() === wanted) return quoted?.replaceAll(/\\(.)/g, '$1') ?? plain;
  return undefined;
}

const isUtf16BigEndian = ([first, second]: Uint8Array): boolean => first === 0xfe && second === 0xff;

/** @throws RequestTextError for a character set that the platform does not know */
function createDecoder(charset: string, bytes: Uint8Array, ignoreBOM: boolean): TextDecoder {
  // The label means little-endian to the platform; many programs write big-endian with a byte order mark. RFC 2781, 4.3.
  const label = charset.toLowerCase() === 'utf-16' && isUtf16BigEndian(bytes) ? 'utf-16be' : charset;
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM });
  } catch {
    const msg = 'The charset is unknown';
    throw new RequestTextError({ loc: ['header', 'content-type'], msg, type: 'value_error' });
  }
}

/** Finds the first byte that a lenient decoder changes. */
function findInvalidByte(bytes: Uint8Array): number {
  const lenient = new TextDecoder(DEFAULT_CHARSET, { fatal: false, ignoreBOM: true }).decode(bytes);
  return new TextEncoder().encode(lenient).findIndex((byte, at) => byte !== bytes[at]);
}

/** @param loc - default: the position of the first invalid byte in the body */
function decode(bytes: Uint8Array, charset: string, loc?: TextIssue['loc']): string {
  const decoder = createDecoder(charset, bytes, false);
  const refuse = (msg: string, position?: number): RequestTextError =>
    new RequestTextError({
      loc: loc ?? (position === undefined ? ['body'] : ['body', position]),
      msg: position === undefined ? msg : `${msg} (byte ${position})`,
      type: 'value_error.jsondecode',
    });
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    if (decoder.encoding !== DEFAULT_CHARSET) throw refuse(`Invalid ${decoder.encoding}`);
    throw refuse('Invalid UTF-8', findInvalidByte(bytes));
  }
  // UTF-16 without a charset is valid UTF-8 if all its characters are ASCII.
  if (text.includes('\0')) throw refuse('Unexpected zero byte', bytes.indexOf(0));
  return text;
}

/** Returns the media type and character set of a body. */
function readMediaType(headers: Headers): { mediaType: string; charset: string } {
  if (!NO_ENCODING.test(headers.get('content-encoding') ?? '')) throw new RequestTextError(COMPRESSED);
  const mediaType = headers.get('content-type') ?? '';
  return { mediaType, charset: findParameter(mediaType, 'charset') ?? DEFAULT_CHARSET };
}

/**
 * Decodes a body by the charset of its Content-Type; without one, it is UTF-8. A byte order mark is removed.
 * @throws RequestTextError 415 if it is compressed; 422 if its charset is unknown or it is invalid, with the position of the
 * first invalid byte of UTF-8
 */
export function decodeBody(headers: Headers, bytes: Uint8Array): string {
  return decode(bytes, readMediaType(headers).charset);
}

const PERCENT_ENCODED = /(?:%[\da-f]{2})+/gi;
const LONE_PERCENT = /%(?![\da-f]{2})/gi;

/**
 * Decodes percent-encoding. A `%` without two digits stays.
 * @throws RequestTextError
 */
function decodePercent(text: string, charset: string, loc: TextIssue['loc']): string {
  if (!text.includes('%')) return text;
  const decoder = createDecoder(charset, new Uint8Array(0), true);
  try {
    if (decoder.encoding === DEFAULT_CHARSET) return decodeURIComponent(text.replaceAll(LONE_PERCENT, '%25'));
    return text.replaceAll(PERCENT_ENCODED, (run) =>
      decoder.decode(Uint8Array.from(run.slice(1).split('%'), (digits) => Number.parseInt(digits, 16))),
    );
  } catch {
    const msg = `Invalid percent-encoded ${decoder.encoding}`;
    throw new RequestTextError({ loc, msg, type: 'value_error' });
  }
}

/** A data request has at most 10,000 keys; the service says so if a form has some more. */
const MAX_PARTS = 20_000;

/** Splits a form into its parts. @throws RequestTextError if it has too many */
function splitParts(text: string, delimiter: string): string[] {
  const parts = text.split(delimiter, MAX_PARTS + 1);
  if (parts.length <= MAX_PARTS) return parts;
  const msg = `ensure the form has at most ${MAX_PARTS} parts`;
  throw new RequestTextError({ loc: ['body'], msg, type: 'value_error' });
}

/**
 * Decodes a body of type `application/x-www-form-urlencoded`.
 * @throws RequestTextError as {@link decodeBody}, also for invalid percent-encoding
 */
export function decodeUrlEncoded(headers: Headers, bytes: Uint8Array): URLSearchParams {
  const { charset } = readMediaType(headers);
  const read = (text: string): string => decodePercent(text.replaceAll('+', ' '), charset, ['body']);
  const pairs = splitParts(decode(bytes, charset), '&')
    .filter((pair) => pair !== '')
    .map((pair) => /^([^=]*)=?(.*)$/s.exec(pair)?.slice(1).map(read) ?? []);
  return new URLSearchParams(pairs);
}

const MULTIPART = /^\s*multipart\/form-data\b/i;
const URL_ENCODED = /^\s*application\/x-www-form-urlencoded\b/i;

/** Decodes each byte to one character, so that positions of characters are those of bytes. */
const byteDecoder = new TextDecoder('x-user-defined');

const END_OF_HEADERS = '\r\n\r\n';
const PART_TYPE = /^content-type:(.*)$/im;
const PART_NAME = /;\s*name="([^"]*)"/i;

/** Decodes the parts of a form, each by its own charset: libraries declare ISO-8859-1 for texts. RFC 7578, 5.1.2. */
function decodeParts(bytes: Uint8Array, mediaType: string, charset: string): string {
  const delimiter = `--${findParameter(mediaType, 'boundary')}`;
  let start = 0;
  const parts = splitParts(byteDecoder.decode(bytes), delimiter).map((part) => {
    const end = start + part.length;
    const endOfHeaders = part.indexOf(END_OF_HEADERS);
    const middle = endOfHeaders < 0 ? end : start + endOfHeaders + END_OF_HEADERS.length;
    const headers = decode(bytes.subarray(start, middle), charset);
    const [, type = ''] = PART_TYPE.exec(headers) ?? [];
    const [, name] = PART_NAME.exec(headers) ?? [];
    const loc = name === undefined ? ['body'] : ['body', name];
    const content = decode(bytes.subarray(middle, end), findParameter(type, 'charset') ?? charset, loc);
    start = end + delimiter.length;
    return headers + content;
  });
  return parts.join(delimiter);
}

/**
 * Decodes a form. A file of it is text in UTF-8, whatever its charset was.
 * @throws RequestTextError as {@link decodeBody}; 422 if the body is no form
 */
export async function decodeForm(headers: Headers, bytes: Uint8Array): Promise<FormData> {
  const { mediaType, charset } = readMediaType(headers);
  if (URL_ENCODED.test(mediaType)) {
    const form = new FormData();
    for (const [name, value] of decodeUrlEncoded(headers, bytes)) form.append(name, value);
    return form;
  }
  if (!MULTIPART.test(mediaType)) {
    const msg = 'the body is a form: multipart/form-data';
    throw new RequestTextError({ loc: ['header', 'content-type'], msg, type: 'value_error' });
  }
  const text = decodeParts(bytes, mediaType, charset);
  try {
    return await new Response(text, { headers: { 'content-type': mediaType } }).formData();
  } catch {
    const msg = 'There was an error parsing the body';
    throw new RequestTextError({ loc: ['body'], msg, type: 'value_error' });
  }
}

/**
 * Checks that the percent-encoding of an address is UTF-8: a repaired key would name another record.
 * @throws RequestTextError 422
 */
export function assertDecodableUrl(url: string): void {
  if (!url.includes('%')) return;
  const { pathname, search } = new URL(url);
  decodePercent(pathname, DEFAULT_CHARSET, ['path']);
  decodePercent(search, DEFAULT_CHARSET, ['query']);
}
