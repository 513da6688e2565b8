// Adds and replaces records. Each write is one transaction and keeps the statistics exact.

import { packDocs, toJsonChunks, Unpacker } from '../codec/packed.ts';
import {
  type Analyze,
  type AnalyzedDocument,
  analyzeRecord,
  type MalformedField,
  type Source,
} from './document.ts';
import { type FieldTotals, type PlacedRecord, SegmentBuilder } from './segment-builder.ts';
import { bumpVersion, type IndexState, isWriteConflict, readState } from './state.ts';

export interface NewDocument {
  id: string;
  source: Source;
}

/** A value that doesn't fit its field and is not indexed. */
export interface MalformedValue extends MalformedField {
  id: string;
}

export class UnknownIndexError extends Error {
  override readonly name = 'UnknownIndexError';
}

/** Limits of a write, which bound its memory. */
const MAX_RECORDS_PER_WRITE = 500;
const MAX_TERMS_PER_WRITE = 300_000;
/** Maximum number of attempts of a write that conflicts with others. */
const MAX_ATTEMPTS = 10;

interface PlacedRow {
  id: string;
  segment: number;
  doc: number;
  lengths: string;
}

interface Addition {
  id: string;
  document: AnalyzedDocument;
}

function countTerms(document: AnalyzedDocument): number {
  let terms = 0;
  for (const { positions } of document.texts.values()) terms += positions.size;
  for (const { size } of document.keywords.values()) terms += size;
  for (const children of document.children.values()) {
    for (const child of children) terms += countTerms(child);
  }
  return terms;
}

function addTotals(sums: Map<number, FieldTotals>, packed: string, sign: 1 | -1): void {
  const unpacker = new Unpacker(packed);
  while (unpacker.hasMore) {
    const field = unpacker.next();
    const sum = sums.get(field) ?? { docs: 0, tokens: 0 };
    sum.docs += sign * unpacker.next();
    sum.tokens += sign * unpacker.next();
    sums.set(field, sum);
  }
}

export class IndexWriter {
  readonly #db: D1Database;
  readonly #analyze: Analyze;

  constructor(db: D1Database, analyze: Analyze) {
    this.#db = db;
    this.#analyze = analyze;
  }

  /**
   * Adds records and replaces those with the same ids; the last one wins if an id repeats.
   * @returns the values that don't fit their fields
   * @throws UnknownIndexError
   */
  async put(index: string, documents: readonly NewDocument[]): Promise<MalformedValue[]> {
    const malformed: MalformedValue[] = [];
    let additions = new Map<string, Addition>();
    let terms = 0;
    const { mapping } = await this.#readState(index);
    for (const { id, source } of documents) {
      const analysed = analyzeRecord(source, mapping.properties, this.#analyze);
      malformed.push(...analysed.malformed.map((value) => ({ id, ...value })));
      additions.set(id, { id, document: analysed.document });
      terms += countTerms(analysed.document);
      if (additions.size < MAX_RECORDS_PER_WRITE && terms < MAX_TERMS_PER_WRITE) continue;
      await this.#write(index, [...additions.values()]);
      additions = new Map();
      terms = 0;
    }
    if (additions.size > 0) await this.#write(index, [...additions.values()]);
    return malformed;
  }

  async #readState(index: string): Promise<IndexState> {
    const state = await readState(this.#db, index);
    if (state === undefined) throw new UnknownIndexError(`no such index [${index}]`);
    return state;
  }

  async #write(index: string, additions: readonly Addition[]): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const state = await this.#readState(index);
      try {
        await this.#tryWrite(state, additions);
        return;
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !isWriteConflict(error)) throw error;
      }
    }
  }

  async #tryWrite(state: IndexState, additions: readonly Addition[]): Promise<void> {
    const db = this.#db;
    const { results: existing } = await db
      .prepare(
        `SELECT id, segment, doc, lengths FROM search_records
         WHERE index_code = ?1 AND id IN (SELECT value FROM json_each(?2))`,
      )
      .bind(state.code, JSON.stringify(additions.map(({ id }) => id)))
      .all<PlacedRow>();
    const { drafts, placedRecords } = await this.#assignSegments(state, additions);
    const sums = new Map<number, FieldTotals>();
    for (const { lengths } of existing) addTotals(sums, lengths, -1);
    for (const { lengths } of placedRecords) addTotals(sums, lengths, 1);
    const dead = Map.groupBy(existing, ({ segment }) => segment);
    await db.batch([
      bumpVersion(db, state),
      db
        .prepare(
          'DELETE FROM search_records WHERE index_code = ?1 AND id IN (SELECT value FROM json_each(?2))',
        )
        .bind(state.code, JSON.stringify(existing.map(({ id }) => id))),
      ...drafts.flatMap((draft) => this.#buildStatements(state, draft)),
      db
        .prepare(
          `INSERT INTO search_records (index_code, id, segment, doc, lengths)
           SELECT ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?2)`,
        )
        .bind(
          state.code,
          JSON.stringify(placedRecords.map(({ id, segment, doc, lengths }) => [id, segment, doc, lengths])),
        ),
      ...Array.from(dead, ([segment, rows]) =>
        db
          .prepare(
            'UPDATE search_segments SET dead = dead || ?2, dead_count = dead_count + ?3 WHERE segment = ?1',
          )
          .bind(segment, packDocs(rows.map(({ doc }) => doc).sort((a, b) => a - b)), rows.length),
      ),
      db
        .prepare(
          `UPDATE search_fields SET docs = docs + (value ->> 1), tokens = tokens + (value ->> 2)
           FROM json_each(?1) WHERE code = value ->> 0`,
        )
        .bind(JSON.stringify(Array.from(sums, ([field, { docs, tokens }]) => [field, docs, tokens]))),
    ]);
    if (dead.size > 0) await this.#dropEmptySegments(await this.#readState(state.name));
  }

  /** Drops segments without live records. Others keep the lists of their removed records, which searches skip. */
  async #dropEmptySegments(state: IndexState): Promise<void> {
    const empty = state.segments.filter(({ deadCount, sizes }) => deadCount === (sizes[0] ?? 0));
    if (empty.length === 0) return;
    const list = JSON.stringify(empty.map(({ segment }) => segment));
    const deletions = ['search_postings', 'search_columns', 'search_segments'].map((table) =>
      this.#db.prepare(`DELETE FROM ${table} WHERE segment IN (SELECT value FROM json_each(?1))`).bind(list),
    );
    try {
      await this.#db.batch([bumpVersion(this.#db, state), ...deletions]);
    } catch (error) {
      // The next write that removes records tries again.
      if (!isWriteConflict(error)) throw error;
    }
  }

  /** Assigns records to segments: the last one until it is full, then new ones. */
  async #assignSegments(
    state: IndexState,
    additions: readonly Addition[],
  ): Promise<{
    drafts: SegmentBuilder[];
    placedRecords: (PlacedRecord & { id: string; segment: number })[];
  }> {
    const drafts: SegmentBuilder[] = [];
    const last = state.segments.at(-1);
    let draft = last === undefined ? undefined : new SegmentBuilder(state, last);
    const placedRecords = [];
    for (const { id, document } of additions) {
      if (draft === undefined || draft.isFull) {
        draft = new SegmentBuilder(state, { segment: await this.#nextSegmentNumber(drafts), sizes: {} });
      }
      if (draft !== drafts.at(-1)) drafts.push(draft);
      placedRecords.push({ id, segment: draft.segment, ...draft.add(id, document) });
    }
    return { drafts, placedRecords };
  }

  async #nextSegmentNumber(drafts: readonly SegmentBuilder[]): Promise<number> {
    const last = await this.#db
      .prepare('SELECT max(segment) AS last FROM search_segments')
      .first<number>('last');
    return Math.max(last ?? 0, drafts.at(-1)?.segment ?? 0) + 1;
  }

  #buildStatements(state: IndexState, draft: SegmentBuilder): D1PreparedStatement[] {
    const db = this.#db;
    const isNew = state.segments.every(({ segment }) => segment !== draft.segment);
    const sizes = JSON.stringify(draft.sizes);
    return [
      isNew
        ? db
            .prepare(
              `INSERT INTO search_segments (segment, index_code, sizes, dead, dead_count)
               VALUES (?1, ?2, ?3, '', 0)`,
            )
            .bind(draft.segment, state.code, sizes)
        : db.prepare('UPDATE search_segments SET sizes = ?2 WHERE segment = ?1').bind(draft.segment, sizes),
      ...toJsonChunks(draft.buildPostingRows()).map((rows) =>
        db
          .prepare(
            `INSERT INTO search_postings (segment, field, term, docs, positions)
             SELECT ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?2) WHERE true
             ON CONFLICT DO UPDATE SET docs = docs || excluded.docs, positions = positions || excluded.positions`,
          )
          .bind(draft.segment, rows),
      ),
      ...toJsonChunks(draft.buildColumnRows()).map((rows) =>
        db
          .prepare(
            `INSERT INTO search_columns (segment, field, docs, content)
             SELECT ?1, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?2) WHERE true
             ON CONFLICT DO UPDATE SET docs = docs || excluded.docs, content = content || excluded.content`,
          )
          .bind(draft.segment, rows),
      ),
    ];
  }
}
