// Traces let an erasure find KV entries: the metadata of an entry contains the start of each subject's pseudonyms.
import * as z from 'zod';

/** 48 bits, so that collisions are unlikely among millions of entries. */
const TRACE_LENGTH = 12;
/** KV accepts 1,024 bytes of metadata. */
const MAX_TRACES = 80;
/** KV lists at most this many names at once. */
const LIST_LIMIT = 1000;

const metadata = z.object({ traces: z.string() });

const toTrace = (pseudonym: string): string => pseudonym.slice(0, TRACE_LENGTH);

/**
 * Creates the metadata of an entry.
 * @param subjects - pseudonyms of each subject in the entry. Beyond 80 in total, the last of each are left out
 */
export function createTraces(subjects: readonly (readonly string[])[]): { traces: string } {
  const longest = Math.max(0, ...subjects.map(({ length }) => length));
  const ranked = Array.from({ length: longest }, (_, rank) => subjects.flatMap((keys) => keys[rank] ?? []));
  return { traces: ranked.flat().slice(0, MAX_TRACES).map(toTrace).join('') } satisfies z.input<
    typeof metadata
  >;
}

function splitTraces(traces: string): string[] {
  return Array.from({ length: traces.length / TRACE_LENGTH }, (_, at) =>
    traces.slice(at * TRACE_LENGTH, (at + 1) * TRACE_LENGTH),
  );
}

/**
 * Finds the names of the entries about a subject.
 * @param prefix - prefix of the searched entries
 * @param pseudonyms - pseudonyms of any keys of the subject
 */
export async function findTracedEntries(
  kv: KVNamespace,
  prefix: string,
  pseudonyms: ReadonlySet<string>,
): Promise<string[]> {
  const wanted = new Set([...pseudonyms].map(toTrace));
  const found: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: KVNamespaceListResult<unknown> = await kv.list({ prefix, limit: LIST_LIMIT, cursor });
    for (const { name, metadata: stored } of page.keys) {
      const { data } = metadata.safeParse(stored);
      if (data !== undefined && splitTraces(data.traces).some((trace) => wanted.has(trace))) found.push(name);
    }
    if (page.list_complete) return found;
    cursor = page.cursor;
  }
}
