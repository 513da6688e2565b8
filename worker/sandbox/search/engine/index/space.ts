// Kinds of documents, and the columns of their numbers.

/** A kind of documents with their own numbers from 0: the records, or the nested objects of one path. */
export interface Space {
  /** The space of the documents that contain these; undefined for the records. */
  parent: Space | undefined;
  /** The document of the parent that contains each nested object, ascending. */
  parents: Int32Array;
  size: number;
}

/** Approximate memory of an object with some references. */
export const OBJECT_BYTES = 32;

/** The values of a number or date field; a document with several values occurs several times. */
export class NumberColumn {
  readonly space: Space;
  /** Ascending. */
  readonly docs: Int32Array;
  readonly values: Float64Array | BigInt64Array;
  /** Approximate memory. */
  readonly bytes: number;

  constructor(space: Space, docs: readonly number[], values: readonly (number | bigint)[]) {
    this.space = space;
    this.docs = Int32Array.from(docs);
    // Only whole numbers are ever large: see values.ts.
    this.values = values.some((value) => typeof value === 'bigint')
      ? BigInt64Array.from(values, BigInt)
      : Float64Array.from(values, Number);
    this.bytes = OBJECT_BYTES + this.docs.byteLength + this.values.byteLength;
  }

  /** Lists the documents that have the field. */
  listDocs(): Int32Array {
    return this.filter(() => true);
  }

  /** Finds the documents with a matching value, each once. */
  filter(matches: (value: number | bigint) => boolean): Int32Array {
    const { docs, values } = this;
    const found: number[] = [];
    for (let at = 0; at < docs.length; at += 1) {
      const doc = docs[at] ?? 0;
      if (found.at(-1) !== doc && matches(values[at] ?? 0)) found.push(doc);
    }
    return Int32Array.from(found);
  }
}
