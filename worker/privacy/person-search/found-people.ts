// The people that a search has found: merges what several places store of one person, and ranks them.
import * as z from 'zod';
import {
  employments,
  type FoundPersonView,
  maxFoundPeople,
} from '../../../shared/api/admin-person-searches.ts';
import type { DataRecord } from '../../../shared/api/common.ts';
import { type Family, families, familyNames } from '../../../shared/families/index.ts';
import { erasureKeysSchema } from '../../gateway/refusal-list/erasure-repository.ts';
import { type SubjectKey, toKeyText } from '../../gateway/refusal-list/named-subjects.ts';
import { type Criteria, compareJobs } from './criteria.ts';
import { readPeople, type StoredPerson } from './stored-people.ts';

const MAX_TEXT_LENGTH = 200;
const MAX_KEYS = 10;

const text = z.string().nullable();
const counts = z.object({ cached: z.int(), pages: z.int(), rows: z.int(), mentions: z.int() });

export const foundPersonSchema = z.object({
  family: z.enum(familyNames),
  keys: erasureKeysSchema,
  name: z.string(),
  headline: text,
  position: text,
  company: text,
  place: text,
  employment: z.enum(employments).nullable(),
  found: counts,
});
type FoundPerson = z.infer<typeof foundPersonSchema>;

export type Place = keyof FoundPerson['found'];

const nowhere: FoundPerson['found'] = { cached: 0, pages: 0, rows: 0, mentions: 0 };

const cut = (value: string | undefined): string | null => value?.slice(0, MAX_TEXT_LENGTH) ?? null;

/** A record of the person says more about the jobs than a text of others. */
const ranks: readonly FoundPerson['employment'][] = ['current', 'past', null, 'unknown', 'elsewhere'];
const mergeOrder: readonly FoundPerson['employment'][] = ['current', 'past', 'elsewhere', null, 'unknown'];

const rank = ({ employment }: FoundPerson): number => ranks.indexOf(employment);

/** Combines what two places store of a person. Texts of the more telling one count. */
function merge(one: FoundPerson, other: FoundPerson): FoundPerson {
  const order = [one, other].sort(
    (a, b) => mergeOrder.indexOf(a.employment) - mergeOrder.indexOf(b.employment),
  );
  const [first = one, second = other] = order;
  const keys = new Map([...one.keys, ...other.keys].map((key) => [toKeyText(key), key]));
  return {
    ...first,
    keys: [...keys.values()].slice(0, MAX_KEYS),
    headline: first.headline ?? second.headline,
    position: first.position ?? second.position,
    company: first.company ?? second.company,
    place: first.place ?? second.place,
    found: {
      cached: one.found.cached + other.found.cached,
      pages: one.found.pages + other.found.pages,
      rows: one.found.rows + other.found.rows,
      mentions: one.found.mentions + other.found.mentions,
    },
  };
}

export class FoundPeople {
  readonly #criteria: Criteria;
  #people: FoundPerson[];
  /** Whether people were left out. */
  more: boolean;

  constructor(criteria: Criteria, people: readonly FoundPerson[], more: boolean) {
    this.#criteria = criteria;
    this.#people = [...people];
    this.more = more;
  }

  /** The most probable first. */
  get list(): readonly FoundPerson[] {
    return this.#people;
  }

  /**
   * Adds the people in a record that fit.
   * @param where - of a person's own record
   * @param keys - further keys of the record, if it is that of a person
   */
  addRecord(family: Family, record: DataRecord, where: Place, keys: readonly SubjectKey[] = []): void {
    const { subject, mentions } = readPeople(family, record);
    if (subject !== undefined) this.#add({ ...subject, keys: [...subject.keys, ...keys] }, family, where);
    for (const mention of mentions) this.#add(mention, 'employee_base', 'mentions');
  }

  #add(person: StoredPerson, family: Family, where: Place): void {
    const { fitsName } = this.#criteria;
    if (person.keys.length === 0 || fitsName?.(person.name) === false) return;
    const { employment, job } = compareJobs(this.#criteria, person.jobs);
    // Without a name, everybody at the company fits, and nobody else.
    if (fitsName === undefined && employment !== 'current' && employment !== 'past') return;
    let found: FoundPerson = {
      family,
      keys: person.keys.slice(0, MAX_KEYS),
      name: person.name.slice(0, MAX_TEXT_LENGTH),
      headline: cut(person.headline),
      position: cut(job?.title),
      company: cut(job?.company ?? job?.website),
      place: cut(person.place),
      employment,
      found: { ...nowhere, [where]: 1 },
    };
    const texts = new Set(found.keys.map(toKeyText));
    const others: FoundPerson[] = [];
    for (const other of this.#people) {
      if (other.keys.some((key) => texts.has(toKeyText(key)))) found = merge(other, found);
      else others.push(other);
    }
    this.#people = [...others, found].sort((one, other) => rank(one) - rank(other));
    if (this.#people.length > maxFoundPeople) {
      this.#people.pop();
      this.more = true;
    }
  }
}

/** The key by which a person is erased: the id, if it is known. */
const findBestKey = (keys: FoundPerson['keys']): SubjectKey | undefined =>
  keys.find(({ kind }) => kind === 'id') ?? keys[0];

/** Formats a key for an erasure. Digits alone would be the id of somebody else; as a URL they are refused. */
const formatPersonKey = ({ kind, value }: SubjectKey): string =>
  kind === 'shorthand_name' && /^\d+$/.test(value) ? `https://network.example/in/${value}` : value;

export function toFoundPersonView({ keys, ...person }: FoundPerson): FoundPersonView[] {
  const key = findBestKey(keys);
  return key === undefined ? [] : [{ ...person, key: { kind: key.kind, value: formatPersonKey(key) } }];
}

/** Reads the key in the cache name of a record; none if only the provider can interpret it. */
export function listNameKeys(name: string, family: Family): SubjectKey[] {
  const [, kind, ...value] = name.split(':');
  const { subject } = families[family];
  return kind === 'id' || kind === 'shorthand_name' ? [{ subject, kind, value: value.join(':') }] : [];
}
