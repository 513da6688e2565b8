// Cached answers of the provider, and their stored form in KV and in single-flight objects.

import * as z from 'zod';
import type { DataRecord } from '../../../shared/api/common.ts';
import { isObject } from '../../../shared/lib/is-object.ts';

/** A record. */
export interface RecordContent {
  kind: 'record';
  readonly record: DataRecord;
}

/** A record; the provider's response that none exists; or a page of ids or preview items. */
export type Content =
  | RecordContent
  | { kind: 'missing'; body: string }
  | { kind: 'page'; items: unknown[]; headers: Record<string, string> };

/** An answer with its lifetime. Times are milliseconds since 1970. */
export interface Envelope {
  content: Content;
  fetchedAt: number;
  /** The answer is stale from then on. */
  freshUntil: number;
  /** The answer expires then. */
  keepUntil: number;
}

/** Keeps every field: zod's record schema drops one named `__proto__`. */
const ownObject = z.custom<DataRecord>(isObject);

const envelopeSchema = z.object({
  content: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('record'), record: ownObject }),
    z.object({ kind: z.literal('missing'), body: z.string() }),
    z.object({
      kind: z.literal('page'),
      items: z.array(z.unknown()),
      headers: ownObject.refine((headers): headers is Record<string, string> =>
        Object.values(headers).every((text) => typeof text === 'string'),
      ),
    }),
  ]),
  fetched_at: z.number(),
  fresh_until: z.number(),
  keep_until: z.number(),
});

/** Text before and after a record, as {@link encodeEnvelope} writes it. */
const RECORD_START = '{"content":{"kind":"record","record":';
const RECORD_END = '},"fetched_at":';

/** Encodes an envelope as JSON. */
export function encodeEnvelope({ content, fetchedAt, freshUntil, keepUntil }: Envelope): string {
  if (content.kind === 'record') {
    const times = `${fetchedAt},"fresh_until":${freshUntil},"keep_until":${keepUntil}`;
    return `${RECORD_START}${encodeRecord(content)}${RECORD_END}${times}}`;
  }
  return JSON.stringify({
    content,
    fetched_at: fetchedAt,
    fresh_until: freshUntil,
    keep_until: keepUntil,
  } satisfies z.input<typeof envelopeSchema>);
}

/** Text after a record. */
const TIMES = /^\},"fetched_at":(\d{1,15}),"fresh_until":(\d{1,15}),"keep_until":(\d{1,15})\}$/;

/** Encoded records, so that a cached record is encoded only once. */
const encodedRecords = new WeakMap<RecordContent, string>();

/** Encodes a record as JSON. */
export function encodeRecord(content: RecordContent): string {
  const known = encodedRecords.get(content);
  if (known !== undefined) return known;
  const text = JSON.stringify(content.record);
  encodedRecords.set(content, text);
  return text;
}

/** Creates a record from its text. The text is parsed when the record is first read. */
function createLazyRecord(text: string): RecordContent {
  let record: DataRecord | undefined;
  const content: RecordContent = {
    kind: 'record',
    get record() {
      record ??= ownObject.parse(JSON.parse(text));
      return record;
    },
  };
  encodedRecords.set(content, text);
  return content;
}

/** Decodes a record without parsing it. @returns undefined for other content */
function decodeRecordEnvelope(text: string): Envelope | undefined {
  if (!text.startsWith(RECORD_START)) return undefined;
  const end = text.lastIndexOf(RECORD_END);
  const times = TIMES.exec(text.slice(end))?.slice(1).map(Number);
  if (times === undefined) return undefined;
  const [fetchedAt = 0, freshUntil = 0, keepUntil = 0] = times;
  return {
    content: createLazyRecord(text.slice(RECORD_START.length, end)),
    fetchedAt,
    freshUntil,
    keepUntil,
  };
}

/** Decodes an envelope. @returns undefined if the text is not an envelope or the envelope has expired */
export function decodeEnvelope(text: string, now: number): Envelope | undefined {
  const record = decodeRecordEnvelope(text);
  if (record !== undefined) return record.keepUntil > now ? record : undefined;
  const parsed = parseJson(envelopeSchema, text);
  if (parsed === undefined || parsed.keep_until <= now) return undefined;
  return {
    content: parsed.content,
    fetchedAt: parsed.fetched_at,
    freshUntil: parsed.fresh_until,
    keepUntil: parsed.keep_until,
  };
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
  return text.startsWith(ALIAS_START) ? parseJson(aliasSchema, text)?.record_name : undefined;
}

function parseJson<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
