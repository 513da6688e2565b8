// Cached answers of the provider, and their stored form in KV and in single-flight objects.

import * as z from 'zod';
import { isObject } from '../../../shared/lib/is-object.ts';
import { parseJson } from '../../lib/exact-json.ts';
import { type Content, decodePage, decodeRecord } from './content.ts';

/** An answer with its lifetime. */
export interface Envelope {
  content: Content;
  fetchedAt: number;
  /** The answer is stale from then on. */
  freshUntil: number;
  /** The answer expires then. */
  keepUntil: number;
}

const missingSchema = z.object({
  content: z.object({ kind: z.literal('missing'), body: z.string() }),
  fetched_at: z.number(),
  fresh_until: z.number(),
  keep_until: z.number(),
});

// Text before and after the JSON of a record or page, which is neither parsed nor serialised on the way.
const RECORD_START = '{"content":{"kind":"record","record":';
const PAGE_START = '{"content":{"kind":"page","items":';
const HEADERS_START = ',"headers":';
const CONTENT_END = '},"fetched_at":';

export function encodeEnvelope({ content, fetchedAt, freshUntil, keepUntil }: Envelope): string {
  const times = { fetched_at: fetchedAt, fresh_until: freshUntil, keep_until: keepUntil };
  if (content.kind === 'missing')
    return JSON.stringify({ content, ...times } satisfies z.input<typeof missingSchema>);
  const json =
    content.kind === 'record'
      ? RECORD_START + content.record.text
      : PAGE_START + content.items.text + HEADERS_START + JSON.stringify(content.headers);
  return `${json}},${JSON.stringify(times).slice(1)}`;
}

/** Text after a record or page. */
const TIMES = /^\},"fetched_at":(\d{1,15}),"fresh_until":(\d{1,15}),"keep_until":(\d{1,15})\}$/;

/** Keeps every name: zod's record schema drops one named `__proto__`. */
const headersSchema = z
  .custom<Record<string, unknown>>(isObject)
  .refine((headers): headers is Record<string, string> =>
    Object.values(headers).every((text) => typeof text === 'string'),
  );

/** Decodes a record or page. @param end - where its JSON ends */
function decodeContent(text: string, end: number): Content | undefined {
  if (text.startsWith(RECORD_START)) return decodeRecord(text.slice(RECORD_START.length, end));
  if (!text.startsWith(PAGE_START)) return undefined;
  // Quotes within headers are escaped, so the last one begins the headers.
  const endOfItems = text.lastIndexOf(`${HEADERS_START}{`, end);
  const headers = headersSchema.safeParse(parseJson(text.slice(endOfItems + HEADERS_START.length, end))).data;
  return headers && decodePage(text.slice(PAGE_START.length, endOfItems), headers);
}

/** Decodes an envelope. @returns undefined if the text is not an envelope or the envelope has expired */
export function decodeEnvelope(text: string, now: number): Envelope | undefined {
  const end = text.lastIndexOf(CONTENT_END);
  const content = decodeContent(text, end);
  const envelope = content === undefined ? decodeMissing(text) : decodeTimes(content, text.slice(end));
  return envelope !== undefined && envelope.keepUntil > now ? envelope : undefined;
}

function decodeTimes(content: Content, text: string): Envelope | undefined {
  const times = TIMES.exec(text)?.slice(1).map(Number);
  if (times === undefined) return undefined;
  const [fetchedAt = 0, freshUntil = 0, keepUntil = 0] = times;
  return { content, fetchedAt, freshUntil, keepUntil };
}

function decodeMissing(text: string): Envelope | undefined {
  const parsed = missingSchema.safeParse(parseJson(text)).data;
  if (parsed === undefined) return undefined;
  const { content, fetched_at: fetchedAt, fresh_until: freshUntil, keep_until: keepUntil } = parsed;
  return { content, fetchedAt, freshUntil, keepUntil };
}

const aliasSchema = z.object({ record_name: z.string() });

/** Encodes an alias: the cache name of a record. */
export function encodeAlias(recordName: string): string {
  return JSON.stringify({ record_name: recordName } satisfies z.input<typeof aliasSchema>);
}

/** Start of every encoded alias. No record starts like it, so records need not be parsed. */
const ALIAS_START = encodeAlias('').slice(0, -2);

/** Decodes an alias. @returns the cache name of its record; undefined if the text is not an alias */
export function decodeAlias(text: string): string | undefined {
  return text.startsWith(ALIAS_START) ? aliasSchema.safeParse(parseJson(text)).data?.record_name : undefined;
}
