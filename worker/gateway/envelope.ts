// What is remembered of an answer of the provider, in KV and in a flight's own storage alike.
import * as z from 'zod';
import type { DataRecord } from '../../shared/sheets-api.ts';

/** A record; word that there is none, in the provider's own words; or a page of ids or preview items. */
export type Content =
  | { kind: 'record'; record: DataRecord }
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

const stored = z.object({
  content: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('record'), record: z.record(z.string(), z.unknown()) }),
    z.object({ kind: z.literal('missing'), body: z.string() }),
    z.object({
      kind: z.literal('page'),
      items: z.array(z.unknown()),
      headers: z.record(z.string(), z.string()),
    }),
  ]),
  fetched_at: z.number(),
  fresh_until: z.number(),
  keep_until: z.number(),
});

/** @returns the envelope as JSON text, as it is stored */
export function writeEnvelope({ content, fetchedAt, freshUntil, keepUntil }: Envelope): string {
  return JSON.stringify({
    content,
    fetched_at: fetchedAt,
    fresh_until: freshUntil,
    keep_until: keepUntil,
  } satisfies z.input<typeof stored>);
}

/**
 * Reads a stored envelope.
 * @returns undefined where the text is none, or its time is over
 */
export function readEnvelope(text: string, now: number): Envelope | undefined {
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
export function writeAlias(recordName: string): string {
  return JSON.stringify({ record_name: recordName } satisfies z.input<typeof pointer>);
}

/** How an alias begins, so that no record has to be parsed to see that it is none. */
const ALIAS_START = writeAlias('').slice(0, -2);

/** @returns the name that an alias leads to; undefined where the text is no alias */
export function readAlias(text: string): string | undefined {
  return text.startsWith(ALIAS_START) ? parseJson(pointer, text)?.record_name : undefined;
}

function parseJson<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
