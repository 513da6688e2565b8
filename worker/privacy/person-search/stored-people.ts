// Reads the people in a stored record: whose record it is, and others whom it names together with a key.
import type { DataRecord } from '../../../shared/api/common.ts';
import { type Family, families } from '../../../shared/families/index.ts';
import { normaliseWebsite } from '../../../shared/keys/index.ts';
import { isSharedHost } from '../../../shared/keys/shared-hosts.ts';
import { isObject } from '../../../shared/lib/is-object.ts';
import { isPlaceholder } from '../../../shared/lib/is-placeholder.ts';
import { listRecordKeys, type SubjectKey } from '../../gateway/refusal-list/named-subjects.ts';
import { findProfileUrls } from '../../gateway/refusal-list/profile-urls.ts';
import type { Job } from './criteria.ts';

export interface StoredPerson {
  keys: SubjectKey[];
  name: string;
  headline: string | undefined;
  place: string | undefined;
  jobs: Job[];
}

/** Field with the profile URL of somebody, and who that is: `author` for `author_profile_url`. */
const PROFILE_FIELD = /^(.*?)_?(?:profile_|professional_network_|canonical_)?url$/;

function findText(item: Readonly<Record<string, unknown>>, fields: readonly string[]): string | undefined {
  const texts = fields.map((field) => item[field]);
  return texts.find((text): text is string => typeof text === 'string' && !isPlaceholder(text));
}

function readHost(item: Readonly<Record<string, unknown>>): string | undefined {
  const website = normaliseWebsite(findText(item, ['company_website']) ?? '');
  return website.ok && !isSharedHost(website.value) ? website.value : undefined;
}

const readJob = (item: Readonly<Record<string, unknown>>, isCurrent: boolean): Job => ({
  title: findText(item, ['job_title', 'title']),
  company: findText(item, ['company_name']),
  website: readHost(item),
  isCurrent,
});

/** Previews have separate fields for the present job. */
function readJobs(record: DataRecord): Job[] {
  const items = Array.isArray(record.experience) ? record.experience.filter(isObject) : [];
  const listed = items.map((item) => {
    const { is_current: isCurrent, date_to: end } = item;
    return readJob(item, isCurrent === undefined ? !end : Number(isCurrent) === 1);
  });
  const present = readJob(record, true);
  const isStated = [present.company, present.website].some((text) => text !== undefined);
  return isStated ? [present, ...listed] : listed;
}

function readSubject(family: Family, record: DataRecord): StoredPerson {
  const parts = ['name_first', 'name_middle', 'name_last'].flatMap(
    (field) => findText(record, [field]) ?? [],
  );
  return {
    keys: listRecordKeys(family, record),
    name: findText(record, ['full_name', 'name']) ?? parts.join(' '),
    headline: findText(record, ['headline', 'job_title', 'title']),
    place: findText(record, [
      'location_full',
      'location',
      'location_raw_address',
      'country',
      'location_country',
    ]),
    jobs: readJobs(record),
  };
}

/** Reads the people whom an object names by profile URL: the author of a post or comment, a mentioned person. */
function readMentions(item: Readonly<Record<string, unknown>>): StoredPerson[] {
  return Object.entries(item).flatMap(([field, value]) => {
    const who = typeof value === 'string' ? PROFILE_FIELD.exec(field)?.[1] : undefined;
    if (who === undefined || typeof value !== 'string') return [];
    const names = who === '' ? ['full_name', 'name'] : [`${who}_name`, `${who}_full_name`, who];
    const name = findText(item, names);
    const profile = findProfileUrls(value).find(({ subject }) => subject === 'employee');
    if (name === undefined || profile === undefined) return [];
    const key: SubjectKey = { subject: 'employee', kind: 'shorthand_name', value: profile.shorthandName };
    const headline = findText(item, [who === '' ? 'headline' : `${who}_headline`]);
    return [{ keys: [key], name, headline, place: undefined, jobs: [] }];
  });
}

/** Lists the people whom a value names at any depth. */
function listMentions(value: unknown): StoredPerson[] {
  if (Array.isArray(value)) return value.flatMap(listMentions);
  if (!isObject(value)) return [];
  return [...readMentions(value), ...Object.values(value).flatMap(listMentions)];
}

/** Reads the people in a record. @returns `subject`: whose record it is; `mentions`: others with a name and a key */
export function readPeople(
  family: Family,
  record: DataRecord,
): { subject: StoredPerson | undefined; mentions: StoredPerson[] } {
  if (families[family].subject !== 'employee') return { subject: undefined, mentions: listMentions(record) };
  return {
    subject: readSubject(family, record),
    mentions: Object.values(record).flatMap(listMentions),
  };
}
