// The answers of the façade, and the bodies of requests.
import { EsError, illegalArgument, searchError } from './es-error.ts';
import { filterPath } from './filter-path.ts';
import { readJson, writeJson } from './json.ts';

const LONGEST_BODY = 100_000_000;

/** Answers with JSON, cut down and laid out as the address asks. */
export function answer(url: URL, value: unknown, status = 200): Response {
  const filter = url.searchParams.get('filter_path');
  const pretty = url.searchParams.get('pretty');
  const told =
    filter === null || filter === '' || typeof value !== 'object' ? value : filterPath(value, filter);
  const text = writeJson(told, pretty === null || pretty === 'false' ? undefined : 2);
  return new Response(text, {
    status,
    // Clients of Elasticsearch talk to nobody who does not say so.
    headers: { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' },
  });
}

/** Answers with a complaint; of an error of another kind only that it happened is told. */
export function refusal(url: URL, error: unknown): Response {
  // Whoever nests deeper than functions may call each other is told so.
  const told =
    error instanceof RangeError ? illegalArgument('the request is nested too deep') : searchError(error);
  if (told === undefined) {
    console.error(JSON.stringify({ event: 'es_facade_error', error: String(error) }));
    const cause = { type: 'exception', reason: 'an error of the façade itself' };
    return answer(url, { error: { root_cause: [cause], ...cause }, status: 500 }, 500);
  }
  const { status, details } = told;
  const { root_cause: roots = [details], ...rest } = details;
  return answer(url, { error: { root_cause: roots, ...rest }, status }, status);
}

/**
 * Reads the text of a request's body, packed or not.
 * @throws EsError for one that is too long or can't be unpacked
 */
export async function bodyText(request: Request): Promise<string> {
  const source = new URL(request.url).searchParams.get('source');
  const packed = request.headers.get('content-encoding')?.toLowerCase() === 'gzip';
  const stream = packed ? request.body?.pipeThrough(new DecompressionStream('gzip')) : request.body;
  if (!stream) return source ?? '';
  let text = '';
  const decoder = new TextDecoder();
  try {
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > LONGEST_BODY) break;
    }
  } catch {
    throw new EsError(400, 'parse_exception', 'the body of the request could not be read');
  }
  if (text.length > LONGEST_BODY) {
    throw new EsError(
      413,
      'content_too_long_exception',
      `the body is longer than ${LONGEST_BODY} characters`,
    );
  }
  text += decoder.decode();
  return text === '' ? (source ?? '') : text;
}

/**
 * Reads the body of a request as JSON.
 * @returns undefined for none
 * @throws EsError for what is no JSON
 */
export async function bodyJson(request: Request): Promise<unknown> {
  const text = await bodyText(request);
  return text.trim() === '' ? undefined : jsonOf(text);
}

/** @throws EsError for what is no JSON */
export function jsonOf(text: string): unknown {
  try {
    return readJson(text);
  } catch (error) {
    throw new EsError(400, 'json_parse_exception', error instanceof Error ? error.message : 'no JSON');
  }
}
