// Finds and removes the people and companies that a record names: by id, shorthand name, profile URL or website, in any field.
import type { DataRecord } from '../../../shared/api/common.ts';
import {
  type Family,
  families,
  familyNames,
  type KeyKind,
  type Subject,
  subjects,
} from '../../../shared/families/index.ts';
import { extractKeys, normaliseId, normaliseWebsite } from '../../../shared/keys/index.ts';
import { parseShorthandName } from '../../../shared/keys/profile.ts';
import { isSharedHost } from '../../../shared/keys/shared-hosts.ts';
import { isObject } from '../../../shared/lib/is-object.ts';
import { getLookupKinds } from '../../../shared/operations.ts';
import type { RecordKey } from '../cache/cache-keys.ts';
import { findProfileUrls, type ProfileUrl } from './profile-urls.ts';

/** A key of a person, company, job or post. It is the same in every family of the subject. */
export interface SubjectKey {
  subject: Subject;
  kind: KeyKind;
  value: string;
}

const listSubjectFamilies = (subject: Subject): Family[] =>
  familyNames.filter((name) => families[name].subject === subject);

/** Lists the keys by which records can be looked up, in every family of their subjects. */
export function toRecordKeys(keys: readonly SubjectKey[]): RecordKey[] {
  return keys.flatMap(({ subject, kind, value }) =>
    listSubjectFamilies(subject)
      .filter((family) => getLookupKinds(family).includes(kind))
      .map((family) => ({ family, kind, value })),
  );
}

/** Keys that an answer links to an erased person or company. */
export interface LinkedKeys {
  /** The keys, by their pseudonyms. */
  keys: ReadonlyMap<string, SubjectKey>;
  /** Pseudonyms of erased keys in the same answer: the linked ones join their erasure. */
  because: readonly string[];
}

/** Selects the keys of an erased record that name nobody else: several companies may share a website. */
export const isOwnKey = ({ kind }: SubjectKey): boolean => kind !== 'website';

export interface NamedSubjects {
  /** Keys of the record itself, its id first. */
  keys: SubjectKey[];
  /** Keys of those whose record it is: the author of a post, the company of a job, the main profile of a duplicate. */
  owners: SubjectKey[];
  /** Keys of everybody else. */
  others: SubjectKey[];
}

/** A value that may be a key. Records have bigints for integers beyond 2^53. */
type Scalar = string | number | bigint;

type KeyPredicate = (key: SubjectKey) => boolean;

/** Returns the text of a key: `company:website:example.com`. */
export const toKeyText = ({ subject, kind, value }: SubjectKey): string => `${subject}:${kind}:${value}`;

/** Returns the text of a record's key: that of its subject. */
export const toRecordKeyText = ({ family, kind, value }: RecordKey): string =>
  `${families[family].subject}:${kind}:${value}`;

/** Fields with ids and plain shorthand names of others. Provider API, "Resources and their fields". */
const idFields: readonly [RegExp, Subject][] = [
  [/(?:^|_)company_id$/, 'company'],
  [/(?:^|_)(?:employee|member|author)(?:_parent)?_id$/, 'employee'],
];
const shorthandNameFields: readonly [RegExp, Subject][] = [
  [/(?:^|_)company_(?:canonical_)?shorthand_name$/, 'company'],
  [/(?:^|_)(?:employee|member|author)_shorthand_name$/, 'employee'],
];
const WEBSITE_FIELD = /(?:^|_)websites?(?:_|$)/;
/** Fields of websites that hold profile URLs. */
const PROFILE_FIELD = /professional_network|profile/;
/** Other ids of the same person. */
const parentFields = ['parent_id', 'historical_ids'];

/** Fields of a record that name its owner. */
const OWNER_FIELD = /^(?:author|employee|member|(?:job_)?company)_/;

/** Who a field is about: `company` for `company_website`. */
const ROLE =
  /^(.*?)_(?:parent_id|id|(?:professional_network_|profile_|canonical_)?url|(?:canonical_)?shorthand_name|websites?)$/;

const findSubject = (rules: readonly [RegExp, Subject][], field: string): Subject | undefined =>
  rules.find(([pattern]) => pattern.test(field))?.[1];

function readKeys(field: string, value: Scalar): SubjectKey[] {
  const idSubject = findSubject(idFields, field);
  if (idSubject !== undefined) {
    const id = normaliseId(String(value));
    return id.ok ? [{ subject: idSubject, kind: 'id', value: id.value }] : [];
  }
  if (typeof value !== 'string') return [];
  if (WEBSITE_FIELD.test(field) && !PROFILE_FIELD.test(field)) return readWebsite(value);
  const profiles = findProfileUrls(value);
  const nameSubject = findSubject(shorthandNameFields, field);
  const name = nameSubject && profiles.length === 0 ? parseShorthandName(value) : undefined;
  return [
    ...profiles.map(toProfileKey),
    ...(nameSubject !== undefined && name?.ok
      ? [{ subject: nameSubject, kind: 'shorthand_name' as const, value: name.value }]
      : []),
  ];
}

const toProfileKey = ({ subject, shorthandName }: ProfileUrl): SubjectKey => ({
  subject,
  kind: 'shorthand_name',
  value: shorthandName,
});

/** A shared host, such as a social network, identifies nobody. */
function readWebsite(text: string): SubjectKey[] {
  const website = normaliseWebsite(text);
  if (!website.ok || isSharedHost(website.value)) return [];
  return [{ subject: 'company', kind: 'website', value: website.value }];
}

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';

/** Calls back for each key at any depth. */
function forEachKey(field: string, value: unknown, onKey: (key: SubjectKey) => void): void {
  if (isScalar(value)) for (const key of readKeys(field, value)) onKey(key);
  if (Array.isArray(value)) for (const item of value) forEachKey(field, item, onKey);
  if (isObject(value)) for (const name in value) forEachKey(name, value[name], onKey);
}

/** Collects ids: a number, a text, or a list of these or of objects with an `id`. */
function collectIds(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(collectIds);
  const id = normaliseId(String(isObject(value) ? value.id : value));
  return id.ok ? [id.value] : [];
}

/** Lists the keys of a record, except the keys of others that it names. */
export function listRecordKeys(family: Family, record: DataRecord): SubjectKey[] {
  const { subject } = families[family];
  const { website, shorthand_name } = extractKeys(family, record);
  return [
    ...collectIds(record.id).map((value): SubjectKey => ({ subject, kind: 'id', value })),
    // A shared host, such as a social network, would lead to others.
    ...website
      .filter((value) => !isSharedHost(value))
      .map((value): SubjectKey => ({ subject, kind: 'website', value })),
    ...shorthand_name.map((value): SubjectKey => ({ subject, kind: 'shorthand_name', value })),
  ];
}

function unique(keys: readonly SubjectKey[], seen = new Set<string>()): SubjectKey[] {
  return keys.filter((key) => {
    const text = toKeyText(key);
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}

/** Lists all keys in a record, each once. */
export function listNamedSubjects(family: Family, record: DataRecord): NamedSubjects {
  const { subject } = families[family];
  const { owner } = subjects[subject];
  const owners: SubjectKey[] =
    subject === 'employee'
      ? parentFields
          .flatMap((field) => collectIds(record[field]))
          .map((value) => ({ subject, kind: 'id', value }))
      : [];
  const others: SubjectKey[] = [];
  for (const field in record) {
    const value = record[field];
    const namesOwner = isScalar(value) && OWNER_FIELD.test(field);
    forEachKey(field, value, (key) => (namesOwner && key.subject === owner ? owners : others).push(key));
  }
  const seen = new Set<string>();
  return {
    keys: unique(listRecordKeys(family, record), seen),
    owners: unique(owners, seen),
    others: unique(others, seen),
  };
}

const REMOVED = Symbol('removed');

/** Removes erased keys from a text. @returns {@link REMOVED} if nothing else is in it */
function stripScalar(field: string, value: Scalar, isErased: KeyPredicate): unknown {
  if (!readKeys(field, value).some(isErased)) return value;
  if (typeof value !== 'string' || !/\s/.test(value.trim())) return REMOVED;
  const erased = findProfileUrls(value).filter((profile) => isErased(toProfileKey(profile)));
  let rest = '';
  let from = 0;
  for (const { start, end } of erased) {
    if (start >= from) rest += value.slice(from, start);
    from = Math.max(from, end);
  }
  return rest + value.slice(from);
}

/** Removes erased keys from a value. An object or item that names somebody erased is removed as a whole. */
function strip(field: string, value: unknown, isErased: KeyPredicate): unknown {
  if (isScalar(value)) return stripScalar(field, value, isErased);
  if (Array.isArray(value)) {
    const items = value.map((item) => strip(field, item, isErased));
    if (items.every((item, index) => item === value[index])) return value;
    return items.filter((item) => item !== REMOVED);
  }
  if (!isObject(value)) return value;
  const members = Object.keys(value).map((name) => [name, strip(name, value[name], isErased)] as const);
  if (members.some(([, member]) => member === REMOVED)) return REMOVED;
  return members.every(([name, member]) => member === value[name]) ? value : Object.fromEntries(members);
}

/**
 * Removes from a record everybody else whose key is erased: items of lists and nested objects that name them, and at the top
 * the fields about them, such as `company_id` with `company_name`. Plain names stay, because they may belong to others.
 * @returns the same object if it names nobody erased
 */
export function removeNamedSubjects(record: DataRecord, isErased: KeyPredicate): DataRecord {
  const removedRoles: string[] = [];
  const members: [string, unknown][] = [];
  let isChanged = false;
  for (const [field, value] of Object.entries(record)) {
    const stripped = strip(field, value, isErased);
    isChanged ||= stripped !== value;
    if (stripped !== REMOVED) members.push([field, stripped]);
    const role = stripped === REMOVED ? ROLE.exec(field)?.[1] : undefined;
    if (role !== undefined) removedRoles.push(`${role}_`);
  }
  if (!isChanged) return record;
  return Object.fromEntries(
    members.filter(([field]) => !removedRoles.some((role) => field.startsWith(role))),
  );
}
