// The people and companies in an answer: erasures find answers by them, and erased ones are removed from new answers.
import { families } from '../../../../shared/families/index.ts';
import type { Content } from '../../cache/content.ts';
import {
  isOwnKey,
  type LinkedKeys,
  listRecordKeys,
  type SubjectKey,
  toKeyText,
  toRecordKeyText,
} from '../../refusal-list/named-subjects.ts';
import { type Pseudonyms, toIdReference, toReference } from '../../refusal-list/pseudonyms.ts';
import { listItemKeys, stripContent } from '../../refusal-list/strip-content.ts';
import type { StoredAnswer } from '../storage/answer-repository.ts';
import type { CallRequest } from '../types.ts';

export interface ContentKeys extends Pick<StoredAnswer, 'pseudonyms' | 'references'> {
  /** Pseudonym of the requested key; absent for pages. */
  requested?: string;
  /** Pseudonyms of all keys in it, by their texts. */
  byKey: ReadonlyMap<string, string>;
}

type KeyedCall = Pick<CallRequest, 'family' | 'key' | 'operation'>;

/**
 * Finds the keys in an answer.
 * @param hasErasedKeys - if false, the pseudonyms of a page of ids are not created: there may be a thousand
 */
export async function getContentKeys(
  { key, family, operation }: KeyedCall,
  content: Content,
  getPseudonyms: () => Promise<Pseudonyms>,
  hasErasedKeys: boolean,
): Promise<ContentKeys> {
  const items =
    content.kind === 'page' ? content.items.value : content.kind === 'record' ? [content.record.value] : [];
  const keys = items.map((item) => listItemKeys(family, item));
  const isIdPage = content.kind === 'page' && operation === 'search';
  const byKey = new Map<string, string>();
  if (key !== undefined || !isIdPage || hasErasedKeys) {
    const pseudonyms = await getPseudonyms();
    const all = new Map<string, SubjectKey>();
    for (const named of keys)
      for (const each of [...named.keys, ...named.owners, ...named.others]) all.set(toKeyText(each), each);
    await Promise.all(
      [...all].map(async ([text, each]) => byKey.set(text, await pseudonyms.forSubjectKey(each))),
    );
  }
  const toPseudonyms = (list: readonly SubjectKey[]) =>
    list.flatMap((each) => byKey.get(toKeyText(each)) ?? []);
  const requested = key && (byKey.get(toRecordKeyText(key)) ?? (await (await getPseudonyms()).forKey(key)));
  const named = keys.map((item) => toPseudonyms(item.keys));
  const first = requested === undefined ? [] : [requested];
  const idReferences = keys.flatMap((item) => item.keys.map(toIdReference));
  const others = keys.flatMap(({ owners, others }) => toPseudonyms([...owners, ...others]).map(toReference));
  return {
    ...(requested === undefined ? {} : { requested }),
    byKey,
    pseudonyms: isIdPage
      ? []
      : content.kind === 'page'
        ? named.filter(({ length }) => length > 0)
        : [[...new Set([...first, ...named.flat()])]],
    references: isIdPage ? idReferences : [...new Set(others)],
  };
}

/** Lists the keys that the answer about an erased person or company has revealed: the requested one and the record's own. */
export function listLinkedKeys(
  { family, key }: KeyedCall,
  content: Content,
  { requested, byKey }: ContentKeys,
  findErased: (pseudonyms: readonly string[]) => ReadonlySet<string>,
): LinkedKeys {
  const own = content.kind === 'record' ? listRecordKeys(family, content.record.value) : [];
  const keys = new Map(
    own.filter(isOwnKey).flatMap((each) => {
      const pseudonym = byKey.get(toKeyText(each));
      return pseudonym === undefined ? [] : [[pseudonym, each] as const];
    }),
  );
  const all = [...(requested === undefined ? [] : [requested]), ...byKey.values()];
  if (requested !== undefined && key !== undefined && key.kind !== 'verbatim')
    keys.set(requested, { subject: families[family].subject, kind: key.kind, value: key.value });
  return { keys, because: [...findErased(all)] };
}

/**
 * Removes erased people and companies from an answer.
 * @param findErased - filters the pseudonyms that are erased
 * @returns the remaining answer; undefined if the record itself, or its owner, is erased
 */
export function removeErased(
  { family }: KeyedCall,
  content: Content,
  { requested, byKey, pseudonyms, references }: ContentKeys,
  findErased: (pseudonyms: readonly string[]) => ReadonlySet<string>,
): ({ content: Content } & Pick<StoredAnswer, 'pseudonyms' | 'references'>) | undefined {
  const erased = findErased([...(requested === undefined ? [] : [requested]), ...byKey.values()]);
  if (erased.size === 0) return { content, pseudonyms, references };
  if (requested !== undefined && erased.has(requested)) return undefined;
  const isErased = (key: SubjectKey) => erased.has(byKey.get(toKeyText(key)) ?? '');
  const stripped = stripContent(family, content, isErased);
  if (stripped === undefined) return undefined;
  const kept = pseudonyms.filter((keys) => !keys.some((key) => erased.has(key)));
  const gone = new Set([...erased].map(toReference));
  return {
    content: stripped,
    pseudonyms: kept,
    references: references.filter((reference) => !gone.has(reference)),
  };
}
