// What every document has beside its source: fields of the index that a query may name and a mapping does not show.
import type { Properties } from '../../worker/provider/search/mapping.ts';
import type { JsonObject } from './json.ts';

/** The fields, as the engine indexes them. */
export const metaProperties = {
  _index: { type: 'keyword' },
  _routing: { type: 'keyword' },
  _ignored: { type: 'keyword' },
  _seq_no: { type: 'long' },
  _version: { type: 'long' },
} as const satisfies Properties;

/** Whether a path is such a field. */
export function isMetaField(path: string): boolean {
  return Object.hasOwn(metaProperties, path);
}

/** What is known of a document beside its source. */
export interface DocumentMeta {
  index: string;
  routing: string | undefined;
  ignored: readonly string[];
  seqNo: number;
  version: number;
}

/** The values of these fields, to be indexed with a document's source. */
export function metaValues({ index, routing, ignored, seqNo, version }: DocumentMeta): JsonObject {
  return { _index: index, _routing: routing, _ignored: ignored, _seq_no: seqNo, _version: version };
}
