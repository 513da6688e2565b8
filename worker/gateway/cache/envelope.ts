// What is remembered of an answer of the provider, in KV and in a flight's own storage alike.

import * as z from 'zod';
import type { DataRecord } from '../../../shared/api/common.ts';
import { isObject } from '../../../shared/lib/is-object.ts';

/** A record. */
export interface RecordContent {
  kind: 'record';
  readonly record: DataRecord;
}

/** A record; word that there is none, in the provider's own words; or a page of ids or preview items. */
export type Content =
  | RecordContent
  | { kind: 'missing'; body: string }
  | { kind: 'page'; items: unknown[]; headers: Record<string, string> };

/** Remembered content. Times in milliseconds since 1970. */
export interface Envelope {
  content: Content;
  fetchedAt: number;
  /** Until then nobody asks whether it is still true. */
  freshUntil: number;
  /** By then it is gone. */
  keepUntil: number;
}

/** An object with every field that it has: a record's schema of zod leaves out one that is called `__proto__`. */
const ownObject = z.custom<DataRecord>(isObject);

const stored = z.object({
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

/** How {@link encodeEnvelope} begins and ends what it writes of a record. */
const RECORD_START = '{"content":{"kind":"record","record":';
const RECORD_END = '},"fetched_at":';

/** @returns the envelope as JSON text, as it is stored */
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
  } satisfies z.input<typeof stored>);
}

/** What follows such a record. */
const TIMES = /^\},"fetched_at":(\d{1,15}),"fresh_until":(\d{1,15}),"keep_until":(\d{1,15})\}$/;

/** Texts of records, for as long as these are remembered: one that is asked again is not written again. */
const texts = new WeakMap<RecordContent, string>();

/** @returns the record as JSON */
export function encodeRecord(content: RecordContent): string {
  const known = texts.get(content);
  if (known !== undefined) return known;
  const text = JSON.stringify(content.record);
  texts.set(content, text);
  return text;
}

/** A record of which the text is known; it is parsed when somebody looks into it. */
function createLazyRecord(text: string): RecordContent {
  let record: DataRecord | undefined;
  const content: RecordContent = {
    kind: 'record',
    get record() {
      record ??= ownObject.parse(JSON.parse(text));
      return record;
    },
  };
  texts.set(content, text);
  return content;
}

/** Reads the envelope of a record by how it begins and ends. @returns undefined where it has to be parsed to be read */
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

/**
 * Reads a stored envelope.
 * @returns undefined where the text is none, or its time is over
 */
export function decodeEnvelope(text: string, now: number): Envelope | undefined {
  const record = decodeRecordEnvelope(text);
  if (record !== undefined) return record.keepUntil > now ? record : undefined;
  const found = parseJson(stored, text);
  if (found === undefined || found.keep_until <= now) return undefined;
  return {
    content: found.content,
    fetchedAt: found.fetched_at,
    freshUntil: found.fresh_until,
    keepUntil: found.keep_until,
  };
}

const pointer = z.object({ record_name: z.string() });

/** @returns what is stored under an alias: the name of the record that it leads to */
export function encodeAlias(recordName: string): string {
  return JSON.stringify({ record_name: recordName } satisfies z.input<typeof pointer>);
}

/** How an alias begins, so that no record has to be parsed to see that it is none. */
const ALIAS_START = encodeAlias('').slice(0, -2);

/** @returns the name that an alias leads to; undefined where the text is no alias */
export function decodeAlias(text: string): string | undefined {
  return text.startsWith(ALIAS_START) ? parseJson(pointer, text)?.record_name : undefined;
}

function parseJson<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
