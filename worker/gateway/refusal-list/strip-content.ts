// Removes erased people and companies from an answer.
import type { DataRecord } from '../../../shared/api/common.ts';
import type { Family } from '../../../shared/families/index.ts';
import { isObject } from '../../../shared/lib/is-object.ts';
import { type Content, toPage, toRecord } from '../cache/content.ts';
import { listNamedSubjects, removeNamedSubjects, type SubjectKey } from './named-subjects.ts';

/** Returns the keys in an item of a page: a record, or the id of one. */
export function listItemKeys(family: Family, item: unknown): ReturnType<typeof listNamedSubjects> {
  const record = isObject(item) ? item : { id: item };
  return listNamedSubjects(family, record);
}

/**
 * Removes erased people and companies from a record.
 * @param record - JSON, also with bigints
 * @returns the same object if it names nobody erased; undefined if the record itself, or its owner, is erased
 */
export function stripRecord(
  family: Family,
  record: DataRecord,
  isErased: (key: SubjectKey) => boolean,
): DataRecord | undefined {
  const { keys, owners, others } = listNamedSubjects(family, record);
  if (keys.some(isErased) || owners.some(isErased)) return undefined;
  return others.some(isErased) ? removeNamedSubjects(record, isErased) : record;
}

/** Does the same with an item of a page. */
function stripItem(family: Family, item: unknown, isErased: (key: SubjectKey) => boolean): unknown {
  if (isObject(item)) return stripRecord(family, item, isErased);
  return listItemKeys(family, item).keys.some(isErased) ? undefined : item;
}

/**
 * Removes erased people and companies from an answer.
 * @returns the same object if it names nobody erased; undefined if the record itself, or its owner, is erased
 */
export function stripContent(
  family: Family,
  content: Content,
  isErased: (key: SubjectKey) => boolean,
): Content | undefined {
  if (content.kind === 'missing') return content;
  if (content.kind === 'record') {
    const { exact } = content.record;
    const record = stripRecord(family, exact, isErased);
    return record === exact ? content : record && toRecord(record);
  }
  const { exact } = content.items;
  const items = exact.map((item) => stripItem(family, item, isErased));
  if (items.every((item, index) => item === exact[index])) return content;
  return toPage(
    items.filter((item) => item !== undefined),
    content.headers,
  );
}
