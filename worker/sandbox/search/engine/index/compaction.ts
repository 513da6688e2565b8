// Removes deleted records from the lists of an index. Searches skip them at once; compaction saves space.
import { pack, toJsonChunks, Unpacker } from '../codec/packed.ts';
import {
  bumpVersion,
  type IndexedField,
  type IndexState,
  isWriteConflict,
  type Segment,
  type Space,
} from './state.ts';

/** Thresholds for compaction: deleted records relative to the live ones, and relative to a segment's size. */
const MAX_DEAD_RATIO = 1 / 2;
const MIN_DEAD_RATIO = 1 / 4;
/** Lists read in one step. */
const ROWS_PER_STEP = 2000;

interface PostingRow {
  field: number;
  term: string;
  docs: string;
  positions: string;
}

/** Flags the live documents of a segment with 1, by space. */
type LiveFlags = ReadonlyMap<Space, Uint8Array>;

/**
 * Compacts an index: drops segments without live records, and removes deleted records from lists if they are many.
 * Concurrent searches return the same results.
 */
export async function compact(db: D1Database, state: IndexState): Promise<void> {
  const countRecords = ({ sizes }: Segment): number => sizes[0] ?? 0;
  const empty = state.segments.filter((segment) => segment.deadCount === countRecords(segment));
  if (empty.length > 0) await dropSegments(db, state, empty);
  // The last segment is still written to.
  const fullSegments = [...state.segments.entries()]
    .slice(0, -1)
    .filter(([, segment]) => segment.deadCount < countRecords(segment));
  const uncompactedCount = fullSegments.reduce(
    (sum, [, { deadCount, compactedCount }]) => sum + deadCount - compactedCount,
    0,
  );
  if (uncompactedCount < state.liveCount * MAX_DEAD_RATIO) return;
  for (const [segmentIndex, segment] of fullSegments) {
    if (segment.deadCount - segment.compactedCount < countRecords(segment) * MIN_DEAD_RATIO) continue;
    await compactSegment(db, state, segment, segmentIndex);
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
    // The next write that removes records tries again.
    if (!isWriteConflict(error)) throw error;
  }
}

async function readLiveFlags(
  db: D1Database,
  state: IndexState,
  segment: Segment,
  segmentIndex: number,
): Promise<LiveFlags> {
  const flagsBySpace = new Map<Space, Uint8Array>();
  const { results } = await db
    .prepare(
      'SELECT field, docs FROM search_columns WHERE segment = ?1 AND field IN (SELECT value FROM json_each(?2))',
    )
    .bind(segment.segment, JSON.stringify(Array.from(state.spaces.values(), ({ code }) => code)))
    .all<{ field: number; docs: string }>();
  const parents = new Map(results.map(({ field, docs }) => [field, docs]));
  // Outer spaces precede inner ones.
  for (const space of state.spaces.values()) {
    const size = space.sizes[segmentIndex] ?? 0;
    const base = space.bases[segmentIndex] ?? 0;
    const parentFlags = space.parent === undefined ? undefined : flagsBySpace.get(space.parent);
    if (parentFlags === undefined) {
      flagsBySpace.set(space, state.live?.slice(base, base + size) ?? new Uint8Array(size).fill(1));
      continue;
    }
    const flags = new Uint8Array(size);
    const unpacker = new Unpacker(parents.get(space.code) ?? '');
    for (let doc = 0; unpacker.hasMore; ) {
      let parent = 0;
      for (let remaining = unpacker.next(); remaining > 0; remaining -= 1, doc += 1) {
        parent += unpacker.next();
        flags[doc] = parentFlags[parent] ?? 0;
      }
    }
    flagsBySpace.set(space, flags);
  }
  return flagsBySpace;
}

/** Removes the deleted documents from one list. */
function removeDead(
  row: PostingRow,
  withLengths: boolean,
  flags: Uint8Array,
): [docs: string, positions: string] {
  let count = 0;
  let docs = '';
  let positions = '';
  let last = 0;
  const unpacker = new Unpacker(row.docs);
  const steps = new Unpacker(row.positions);
  while (unpacker.hasMore) {
    let doc = 0;
    for (let remaining = unpacker.next(); remaining > 0; remaining -= 1) {
      doc += unpacker.next();
      const frequency = withLengths ? unpacker.next() : 0;
      const lengths = withLengths ? pack(frequency) + pack(unpacker.next()) : '';
      let termPositions = '';
      for (let at = 0; at < frequency; at += 1) termPositions += pack(steps.next());
      if (flags[doc] !== 1) continue;
      docs += pack(doc - last) + lengths;
      positions += termPositions;
      last = doc;
      count += 1;
    }
  }
  return [count === 0 ? '' : pack(count) + docs, positions];
}

/** Rewrites the lists of a segment that is no longer written to. */
async function compactSegment(
  db: D1Database,
  state: IndexState,
  segment: Segment,
  segmentIndex: number,
): Promise<void> {
  const flagsBySpace = await readLiveFlags(db, state, segment, segmentIndex);
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
      const flags = field === undefined ? undefined : flagsBySpace.get(field.space);
      if (field === undefined || flags === undefined) return [];
      const [docs, positions] = removeDead(row, field.type === 'text', flags);
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
  const listedSql = `WITH listed AS MATERIALIZED (
    SELECT value ->> 0 AS field, value ->> 1 AS term, value ->> 2 AS docs, value ->> 3 AS positions FROM json_each(?2))`;
  return [
    `${listedSql} UPDATE search_postings AS p SET docs = listed.docs, positions = listed.positions FROM listed
     WHERE p.segment = ?1 AND p.field = listed.field AND p.term = listed.term AND listed.docs <> ''`,
    `${listedSql} DELETE FROM search_postings
     WHERE segment = ?1 AND (field, term) IN (SELECT field, term FROM listed WHERE docs = '')`,
  ].map((sql) => db.prepare(sql).bind(segment, rows));
}
