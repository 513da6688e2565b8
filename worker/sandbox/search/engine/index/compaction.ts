// Getting rid of records that were removed or replaced: searches pass over them at once, their lists shrink later.
import { pack, Unpacker } from '../codec/packed.ts';
import { toJsonChunks } from './json-chunks.ts';
import {
  bumpVersion,
  type IndexedField,
  type IndexState,
  isWriteConflict,
  type Segment,
  type Space,
} from './state.ts';

/** Lists are rid of the dead when these are so many, measured by those that live; a segment's, by its size. */
const MAX_DEAD_RATIO = 1 / 2;
const MIN_DEAD_RATIO = 1 / 4;
/** Lists of one step. */
const ROWS_PER_STEP = 2000;

interface PostingRow {
  field: number;
  term: string;
  docs: string;
  positions: string;
}

/** By the number in its segment: 1 for each document that lives. */
type LiveFlags = ReadonlyMap<Space, Uint8Array>;

/**
 * Tidies an index in which records have died: drops the segments in which none lives, and when the dead have become
 * many, shortens the lists that they are in. Searches find the same before, after and meanwhile.
 */
export async function compact(db: D1Database, state: IndexState): Promise<void> {
  const sizeOf = ({ sizes }: Segment): number => sizes[0] ?? 0;
  const empty = state.segments.filter((segment) => segment.deadCount === sizeOf(segment));
  if (empty.length > 0) await dropSegments(db, state, empty);
  // The last segment's lists still grow.
  const settled = [...state.segments.entries()]
    .slice(0, -1)
    .filter(([, segment]) => segment.deadCount < sizeOf(segment));
  const unswept = settled.reduce(
    (sum, [, { deadCount, compactedCount }]) => sum + deadCount - compactedCount,
    0,
  );
  if (unswept < state.liveCount * MAX_DEAD_RATIO) return;
  for (const [place, segment] of settled) {
    if (segment.deadCount - segment.compactedCount < sizeOf(segment) * MIN_DEAD_RATIO) continue;
    await compactSegment(db, state, segment, place);
  }
}

async function dropSegments(db: D1Database, state: IndexState, segments: readonly Segment[]): Promise<void> {
  const list = JSON.stringify(segments.map(({ segment }) => segment));
  const inList = 'WHERE segment IN (SELECT value FROM json_each(?1))';
  try {
    await db.batch([
      bumpVersion(db, state),
      ...['search_postings', 'search_columns', 'search_segments'].map((table) =>
        db.prepare(`DELETE FROM ${table} ${inList}`).bind(list),
      ),
    ]);
  } catch (error) {
    // The next write that removes something tries again.
    if (!isWriteConflict(error)) throw error;
  }
}

async function readLiveFlags(
  db: D1Database,
  state: IndexState,
  segment: Segment,
  place: number,
): Promise<LiveFlags> {
  const living = new Map<Space, Uint8Array>();
  const { results } = await db
    .prepare(
      'SELECT field, docs FROM search_columns WHERE segment = ?1 AND field IN (SELECT value FROM json_each(?2))',
    )
    .bind(segment.segment, JSON.stringify(Array.from(state.spaces.values(), ({ code }) => code)))
    .all<{ field: number; docs: string }>();
  const parents = new Map(results.map(({ field, docs }) => [field, docs]));
  // Outer spaces come before inner ones.
  for (const space of state.spaces.values()) {
    const size = space.sizes[place] ?? 0;
    const base = space.bases[place] ?? 0;
    const above = space.parent === undefined ? undefined : living.get(space.parent);
    if (above === undefined) {
      living.set(space, state.live?.slice(base, base + size) ?? new Uint8Array(size).fill(1));
      continue;
    }
    const lives = new Uint8Array(size);
    const unpacker = new Unpacker(parents.get(space.code) ?? '');
    for (let doc = 0; unpacker.hasMore; ) {
      let parent = 0;
      for (let left = unpacker.next(); left > 0; left -= 1, doc += 1) {
        parent += unpacker.next();
        lives[doc] = above[parent] ?? 0;
      }
    }
    living.set(space, lives);
  }
  return living;
}

/** Leaves out the dead of one list. */
function removeDead(
  row: PostingRow,
  withLengths: boolean,
  lives: Uint8Array,
): [docs: string, positions: string] {
  let count = 0;
  let docs = '';
  let positions = '';
  let last = 0;
  const unpacker = new Unpacker(row.docs);
  const steps = new Unpacker(row.positions);
  while (unpacker.hasMore) {
    let doc = 0;
    for (let left = unpacker.next(); left > 0; left -= 1) {
      doc += unpacker.next();
      const frequency = withLengths ? unpacker.next() : 0;
      const lengths = withLengths ? pack(frequency) + pack(unpacker.next()) : '';
      let places = '';
      for (let at = 0; at < frequency; at += 1) places += pack(steps.next());
      if (lives[doc] !== 1) continue;
      docs += pack(doc - last) + lengths;
      positions += places;
      last = doc;
      count += 1;
    }
  }
  return [count === 0 ? '' : pack(count) + docs, positions];
}

/** Rewrites the lists of a segment that no longer grows. */
async function compactSegment(
  db: D1Database,
  state: IndexState,
  segment: Segment,
  place: number,
): Promise<void> {
  const living = await readLiveFlags(db, state, segment, place);
  const fields = new Map<number, IndexedField>(
    Array.from(state.fields.values(), (field) => [field.code, field]),
  );
  let last = { field: 0, term: '' };
  for (;;) {
    const { results } = await db
      .prepare(
        `SELECT field, term, docs, positions FROM search_postings
         WHERE segment = ?1 AND (field, term) > (?2, ?3) ORDER BY field, term LIMIT ${ROWS_PER_STEP}`,
      )
      .bind(segment.segment, last.field, last.term)
      .all<PostingRow>();
    const end = results.at(-1);
    if (end === undefined) break;
    last = end;
    const rows = results.flatMap((row) => {
      const field = fields.get(row.field);
      const lives = field === undefined ? undefined : living.get(field.space);
      if (field === undefined || lives === undefined) return [];
      const [docs, positions] = removeDead(row, field.type === 'text', lives);
      return docs === row.docs ? [] : [[row.field, row.term, docs, positions]];
    });
    if (rows.length > 0)
      await db.batch(toJsonChunks(rows).flatMap((part) => rewriteLists(db, segment.segment, part)));
  }
  await db
    .prepare('UPDATE search_segments SET swept = ?2 WHERE segment = ?1')
    .bind(segment.segment, segment.deadCount)
    .run();
}

function rewriteLists(db: D1Database, segment: number, rows: string): D1PreparedStatement[] {
  const listed = `WITH listed AS MATERIALIZED (
    SELECT value ->> 0 AS field, value ->> 1 AS term, value ->> 2 AS docs, value ->> 3 AS positions FROM json_each(?2))`;
  return [
    `${listed} UPDATE search_postings AS p SET docs = listed.docs, positions = listed.positions FROM listed
     WHERE p.segment = ?1 AND p.field = listed.field AND p.term = listed.term AND listed.docs <> ''`,
    `${listed} DELETE FROM search_postings
     WHERE segment = ?1 AND (field, term) IN (SELECT field, term FROM listed WHERE docs = '')`,
  ].map((sql) => db.prepare(sql).bind(segment, rows));
}
