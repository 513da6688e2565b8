// Reads bodies with a size limit: of requests strictly, of responses leniently. Nothing else reads the body of a request.
import {
  assertDecodableUrl,
  decodeBody,
  decodeForm,
  decodeUrlEncoded,
  RequestTextError,
} from '../lib/request-text.ts';
import { ProblemError } from './problem-error.ts';

/**
 * Calls back for each chunk of a body.
 * @returns false if it is larger than `maxBytes`; the rest is not read
 */
async function readChunks(
  { body }: Request | Response,
  maxBytes: number,
  onChunk: (chunk: Uint8Array) => void,
): Promise<boolean> {
  if (body === null) return true;
  const reader = body.getReader();
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return true;
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      await reader.cancel();
      return false;
    }
    onChunk(value);
  }
}

/**
 * Reads the body of a response as UTF-8. Invalid text is replaced, because the response may have been paid for.
 * @param maxBytes - limit after decompression
 * @returns undefined if the body is larger; the rest is not read
 */
export async function readText(response: Response, maxBytes: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  const isWhole = await readChunks(response, maxBytes, (chunk) => {
    text += decoder.decode(chunk, { stream: true });
  });
  return isWhole ? text + decoder.decode() : undefined;
}

/** Ends a request whose text can't be decoded. Nothing was sent or charged for it. */
export class RequestTextProblem extends ProblemError {
  readonly serviceBody: RequestTextError['body'];

  constructor({ status, message, body }: RequestTextError) {
    if (status === 415) super('unsupported_encoding');
    else super('invalid_request', `${message}.`, FIX);
    this.serviceBody = body;
  }
}

const FIX = 'Send UTF-8, or name the charset of a body in Content-Type.';

function concatenate(chunks: readonly Uint8Array[]): Uint8Array {
  const [first = new Uint8Array(0), ...more] = chunks;
  if (more.length === 0) return first;
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

const toProblem = (error: unknown): unknown =>
  error instanceof RequestTextError ? new RequestTextProblem(error) : error;

async function readRequest<T>(
  request: Request,
  maxBytes: number,
  decode: (headers: Headers, bytes: Uint8Array) => T | Promise<T>,
): Promise<T | undefined> {
  const chunks: Uint8Array[] = [];
  if (!(await readChunks(request, maxBytes, (chunk) => chunks.push(chunk)))) return undefined;
  try {
    return await decode(request.headers, concatenate(chunks));
  } catch (error) {
    throw toProblem(error);
  }
}

const requestTexts = new WeakMap<Request, Promise<string | undefined>>();

/**
 * Reads the body of a request. Unlike a body, its text can be read again.
 * @returns undefined if the body is larger than `maxBytes`; the rest is not read
 * @throws RequestTextProblem
 */
export function readRequestText(request: Request, maxBytes: number): Promise<string | undefined> {
  const text = requestTexts.get(request) ?? readRequest(request, maxBytes, decodeBody);
  requestTexts.set(request, text);
  return text;
}

/** Reads a form, like {@link readRequestText}, but once. */
export function readRequestForm(request: Request, maxBytes: number): Promise<FormData | undefined> {
  return readRequest(request, maxBytes, decodeForm);
}

/** Reads a form of a browser without files, like {@link readRequestText}, but once. */
export function readUrlEncoded(request: Request, maxBytes: number): Promise<URLSearchParams | undefined> {
  return readRequest(request, maxBytes, decodeUrlEncoded);
}

/** Requires that the percent-encoding of an address is UTF-8. @throws RequestTextProblem */
export function requireDecodableUrl(url: string): void {
  try {
    assertDecodableUrl(url);
  } catch (error) {
    throw toProblem(error);
  }
}
