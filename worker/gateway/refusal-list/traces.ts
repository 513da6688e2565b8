// How an erasure finds what stands in KV: each entry carries, as metadata, the beginnings of the pseudonyms of whoever is in
// it.
import * as z from 'zod';

/** 48 bits: among millions of entries no two keys have the same by chance. */
const TRACE_LENGTH = 12;
/** KV takes 1,024 bytes of metadata. */
const MAX_TRACES = 80;
/** KV lists at most this many names at once. */
const LIST_LIMIT = 1000;

const metadata = z.object({ traces: z.string() });

const toTrace = (pseudonym: string): string => pseudonym.slice(0, TRACE_LENGTH);

/**
 * Makes the metadata of an entry.
 * @param who - pseudonyms of whoever is in it, the keys of each together; of more than 80, the last of each are left out
 */
export function createTraces(who: readonly (readonly string[])[]): { traces: string } {
  const longest = Math.max(0, ...who.map(({ length }) => length));
  const ranked = Array.from({ length: longest }, (_, rank) => who.flatMap((keys) => keys[rank] ?? []));
  return { traces: ranked.flat().slice(0, MAX_TRACES).map(toTrace).join('') } satisfies z.input<
    typeof metadata
  >;
}

function split(traces: string): string[] {
  return Array.from({ length: traces.length / TRACE_LENGTH }, (_, at) =>
    traces.slice(at * TRACE_LENGTH, (at + 1) * TRACE_LENGTH),
  );
}

/**
 * Finds the entries about somebody.
 * @param prefix - of the entries that are looked through
 * @param pseudonyms - of any of their keys
 * @returns names of entries
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
    for (const { name, metadata: told } of page.keys) {
      const { data } = metadata.safeParse(told);
      if (data !== undefined && split(data.traces).some((trace) => wanted.has(trace))) found.push(name);
    }
    if (page.list_complete) return found;
    cursor = page.cursor;
  }
}
