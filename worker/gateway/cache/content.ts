// The content of the provider's answers: records and pages, with all digits of their integers.
import type { DataRecord } from '../../../shared/api/common.ts';
import { isObject } from '../../../shared/lib/is-object.ts';
import { ExactJson, stringifyExactly } from '../../lib/exact-json.ts';

export interface RecordContent {
  kind: 'record';
  record: ExactJson<DataRecord>;
}

export interface PageContent {
  kind: 'page';
  items: ExactJson<readonly unknown[]>;
  headers: Record<string, string>;
}

/** A record; the provider's response that none exists; or a page. */
export type Content = RecordContent | { kind: 'missing'; body: string } | PageContent;

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

export function decodeRecord(text: string): RecordContent {
  return { kind: 'record', record: new ExactJson(text, isObject) };
}

export function toRecord(record: DataRecord): RecordContent {
  return { kind: 'record', record: new ExactJson(stringifyExactly(record), isObject, record) };
}

export function decodePage(text: string, headers: Record<string, string>): PageContent {
  return { kind: 'page', items: new ExactJson(text, isList), headers };
}

export function toPage(items: readonly unknown[], headers: Record<string, string>): PageContent {
  return { kind: 'page', items: new ExactJson(stringifyExactly(items), isList, items), headers };
}
