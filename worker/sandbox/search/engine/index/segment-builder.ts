// What a write adds to one segment: records turned into packed lists, field by field and term by term.

import { pack, packDocs, packNumber } from '../codec/packed.ts';
import { encodeLength } from '../query/score.ts';
import type { AnalyzedDocument } from './document.ts';
import { ID_COLUMN, type IndexState, type Segment } from './state.ts';

/** Records of a full segment, and nested objects of one path: they bound the length of a list. */
const MAX_SEGMENT_RECORDS = 4096;
const MAX_SEGMENT_CHILDREN = 65_536;

/** Keywords are found or not: how often and in how long a text counts for nothing. */
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

/** A record's place, and what it adds to the statistics: field, documents and terms, packed one behind the other. */
export interface PlacedRecord {
  doc: number;
  lengths: string;
}

/** Documents and terms of a field. */
export interface FieldTotals {
  docs: number;
  tokens: number;
}

/** Additions to a segment that is there or is to be made. */
export class SegmentBuilder {
  readonly segment: number;
  /** Documents by the code of their space, those that were there before included. */
  readonly sizes: Record<string, number>;
  readonly #state: IndexState;
  readonly #postings = new Map<number, Map<string, PostingBuilder>>();
  readonly #columns = new Map<number, ColumnBuilder>();

  /** @param segment - the one to add to; a new one has no sizes yet */
  constructor(state: IndexState, { segment, sizes }: Pick<Segment, 'segment' | 'sizes'>) {
    this.#state = state;
    this.segment = segment;
    this.sizes = { ...sizes };
  }

  /** Whether the next record belongs into another segment. */
  get isFull(): boolean {
    return Object.entries(this.sizes).some(
      ([space, size]) => size >= (space === '0' ? MAX_SEGMENT_RECORDS : MAX_SEGMENT_CHILDREN),
    );
  }

  /** Takes a record in. */
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

  /** Field, term, documents, places. */
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

  /** Field, documents, content. */
  buildColumnRows(): [number, string, string][] {
    return Array.from(this.#columns, ([field, { docs, content }]) => [
      field,
      docs.length === 0 ? '' : packDocs(docs),
      content,
    ]);
  }

  /** @returns its number in its space */
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
      for (const [term, at] of positions) {
        const posting = this.#getPosting(field, term, doc);
        posting.docs += pack(at.length) + pack(byte);
        posting.positions += packPositions(at);
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

  /** The code of a field of terms, after noting that the document has it. */
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

function packPositions(places: readonly number[]): string {
  let text = '';
  let last = 0;
  for (const place of places) {
    text += pack(place - last);
    last = place;
  }
  return text;
}

/** Adds one document of so many terms. */
function addToTotals(lengths: Map<number, FieldTotals>, field: number, tokens: number): void {
  const sum = lengths.get(field);
  if (sum === undefined) lengths.set(field, { docs: 1, tokens });
  else {
    sum.docs += 1;
    sum.tokens += tokens;
  }
}
