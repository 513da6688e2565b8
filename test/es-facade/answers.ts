// The answers of the façade, and the bodies of requests.
import { EsError, formError, illegalArgument, searchError } from './es-error.ts';
import { readJson, writeJson } from './json.ts';
import { filterAnswer } from './path-filter.ts';

const LONGEST_BODY = 100_000_000;

/** Answers with JSON, cut down and laid out as the address asks. */
export function answer(url: URL, value: unknown, status = 200): Response {
  const filter = url.searchParams.get('filter_path');
  const isPretty = (url.searchParams.get('pretty') ?? 'false') !== 'false';
  const text = writeJson(filter ? filterAnswer(value, filter) : value, isPretty ? 2 : undefined);
  // Clients of Elasticsearch talk to nobody who does not say so.
  const headers = { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' };
  return new Response(text, { status, headers });
}

/** Answers with a complaint; of an error of another kind only that it happened is told. */
export function refusal(url: URL, error: unknown): Response {
  const told =
    error instanceof RangeError ? illegalArgument('the request is nested too deep') : searchError(error);
  if (told === undefined) console.error(JSON.stringify({ event: 'es_facade_error', error: String(error) }));
  const { body, status } = told ?? new EsError(500, 'exception', 'an error of the façade itself');
  return answer(url, body, status);
}

/**
 * Reads the text of a request's body, packed or not.
 * @throws EsError for one that is too long or can't be unpacked
 */
export async function bodyText(request: Request): Promise<string> {
  const source = new URL(request.url).searchParams.get('source') ?? '';
  const isPacked = request.headers.get('content-encoding')?.toLowerCase() === 'gzip';
  const stream = isPacked ? request.body?.pipeThrough(new DecompressionStream('gzip')) : request.body;
  if (!stream) return source;
  let text = '';
  const decoder = new TextDecoder();
  try {
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > LONGEST_BODY) break;
    }
  } catch {
    throw formError('the body of the request could not be read');
  }
  if (text.length > LONGEST_BODY) {
    const reason = `the body is longer than ${LONGEST_BODY} characters`;
    throw new EsError(413, 'content_too_long_exception', reason);
  }
  return text + decoder.decode() || source;
}

/**
 * Reads JSON.
 * @returns undefined for an empty text
 * @throws EsError for what is no JSON
 */
export function parseJson(text: string): unknown {
  try {
    return text.trim() === '' ? undefined : readJson(text);
  } catch (error) {
    throw new EsError(400, 'json_parse_exception', error instanceof Error ? error.message : 'no JSON');
  }
}
