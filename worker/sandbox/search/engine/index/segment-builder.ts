// Builds the packed lists that a write adds to one segment.

import { pack, packDocs, packNumber } from '../codec/packed.ts';
import { encodeLength } from '../query/score.ts';
import type { AnalyzedDocument } from './document.ts';
import { ID_COLUMN, type IndexState, type Segment } from './state.ts';

/** Limits of a segment: records, and nested objects of one path. They bound the length of a list. */
const MAX_SEGMENT_RECORDS = 4096;
const MAX_SEGMENT_CHILDREN = 65_536;

/** A list under construction. Keyword lists have no frequencies, lengths and positions. */
interface PostingBuilder {
  count: number;
  last: number;
  docs: string;
  positions: string;
}

interface ColumnBuilder {
  docs: number[];
  content: string;
}

/** A record's number, and its contribution to the field statistics: packed triples of field, documents and terms. */
export interface PlacedRecord {
  doc: number;
  lengths: string;
}

/** Number of documents and terms of a field. */
export interface FieldTotals {
  docs: number;
  tokens: number;
}

export class SegmentBuilder {
  readonly segment: number;
  /** Number of documents by space code, including existing ones. */
  readonly sizes: Record<string, number>;
  readonly #state: IndexState;
  readonly #postings = new Map<number, Map<string, PostingBuilder>>();
  readonly #columns = new Map<number, ColumnBuilder>();

  /** @param segment - the segment to extend; a new one has no sizes */
  constructor(state: IndexState, { segment, sizes }: Pick<Segment, 'segment' | 'sizes'>) {
    this.#state = state;
    this.segment = segment;
    this.sizes = { ...sizes };
  }

  /** Whether the next record needs another segment. */
  get isFull(): boolean {
    return Object.entries(this.sizes).some(
      ([space, size]) => size >= (space === '0' ? MAX_SEGMENT_RECORDS : MAX_SEGMENT_CHILDREN),
    );
  }

  add(id: string, document: AnalyzedDocument): PlacedRecord {
    const lengths = new Map<number, FieldTotals>();
    const doc = this.#addDocument(document, '', 0, lengths);
    this.#getColumn(ID_COLUMN).content += `${JSON.stringify(id)},`;
    const packed = Array.from(
      lengths,
      ([field, { docs, tokens }]) => pack(field) + pack(docs) + pack(tokens),
    );
    return { doc, lengths: packed.join('') };
  }

  /** Builds rows of field, term, documents, positions. */
  buildPostingRows(): [number, string, string, string][] {
    return Array.from(this.#postings, ([field, terms]) =>
      Array.from(terms, ([term, { count, docs, positions }]): [number, string, string, string] => [
        field,
        term,
        pack(count) + docs,
        positions,
      ]),
    ).flat();
  }

  /** Builds rows of field, documents, content. */
  buildColumnRows(): [number, string, string][] {
    return Array.from(this.#columns, ([field, { docs, content }]) => [
      field,
      docs.length === 0 ? '' : packDocs(docs),
      content,
    ]);
  }

  /** @returns the document's number in its space */
  #addDocument(
    document: AnalyzedDocument,
    spacePath: string,
    parent: number,
    lengths: Map<number, FieldTotals>,
  ): number {
    const space = this.#state.spaces.get(spacePath)?.code ?? 0;
    const doc = this.sizes[space] ?? 0;
    this.sizes[space] = doc + 1;
    if (space !== 0) this.#getColumn(space).docs.push(parent);
    for (const [path, { length, positions }] of document.texts) {
      const field = this.#addField(path, doc);
      if (field === undefined || length === 0) continue;
      const byte = encodeLength(length);
      for (const [term, termPositions] of positions) {
        const posting = this.#getPosting(field, term, doc);
        posting.docs += pack(termPositions.length) + pack(byte);
        posting.positions += packPositions(termPositions);
      }
      addToTotals(lengths, field, length);
    }
    for (const [path, terms] of document.keywords) {
      const field = this.#addField(path, doc);
      if (field === undefined) continue;
      for (const term of terms) this.#getPosting(field, term, doc);
      addToTotals(lengths, field, terms.size);
    }
    for (const [path, numbers] of document.numbers) {
      const field = this.#state.fields.get(path)?.code;
      if (field === undefined) continue;
      const column = this.#getColumn(field);
      for (const number of numbers) {
        column.docs.push(doc);
        column.content += packNumber(number);
      }
    }
    for (const [path, children] of document.children) {
      if (!this.#state.spaces.has(path)) continue;
      for (const child of children) this.#addDocument(child, path, doc, lengths);
    }
    return doc;
  }

  /** Returns the code of a field and records that the document has it. */
  #addField(path: string, doc: number): number | undefined {
    const field = this.#state.fields.get(path)?.code;
    if (field !== undefined) this.#getColumn(field).docs.push(doc);
    return field;
  }

  #getPosting(field: number, term: string, doc: number): PostingBuilder {
    let terms = this.#postings.get(field);
    if (terms === undefined) {
      terms = new Map();
      this.#postings.set(field, terms);
    }
    let posting = terms.get(term);
    if (posting === undefined) {
      posting = { count: 0, last: 0, docs: '', positions: '' };
      terms.set(term, posting);
    }
    posting.docs += pack(doc - posting.last);
    posting.last = doc;
    posting.count += 1;
    return posting;
  }

  #getColumn(field: number): ColumnBuilder {
    let column = this.#columns.get(field);
    if (column === undefined) {
      column = { docs: [], content: '' };
      this.#columns.set(field, column);
    }
    return column;
  }
}

function packPositions(positions: readonly number[]): string {
  let text = '';
  let last = 0;
  for (const position of positions) {
    text += pack(position - last);
    last = position;
  }
  return text;
}

/** Adds one document with a number of terms to a field's totals. */
function addToTotals(lengths: Map<number, FieldTotals>, field: number, tokens: number): void {
  const totals = lengths.get(field);
  if (totals === undefined) lengths.set(field, { docs: 1, tokens });
  else {
    totals.docs += 1;
    totals.tokens += tokens;
  }
}
