// The record families of the service: names, keys and freshness. Each family has a file in this folder.
import { DAY_S } from '../lib/durations.ts';
import { type Family, families, familyNames } from './registry.ts';
import { type SubjectInfo, subjects } from './subjects.ts';

export { type KeyKind, keyKinds } from './definition.ts';
export { type Family, families, familyNames } from './registry.ts';
export { type Subject, subjectNames, subjects } from './subjects.ts';

/** Formats in which callers give keys. `url` and `auto` resolve to one of the other three. */
export const keyFormats = ['website', 'id', 'shorthand_name', 'url', 'auto'] as const;
export type KeyFormat = (typeof keyFormats)[number];

export function isFamily(name: string): name is Family {
  return familyNames.some((family) => family === name);
}

export function getSubject(family: Family): SubjectInfo {
  return subjects[families[family].subject];
}

/** Seconds for which a not-found result is fresh. */
export const notFoundFreshForS = DAY_S;

/** Seconds for which a preview page is fresh. */
export const previewFreshForS = DAY_S;

/** Seconds after which a bought record must be deleted: twelve months. */
export const retentionS = 365 * DAY_S;
