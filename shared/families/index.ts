// The record families of the service: their names, keys and freshness. Everything about one family is in its file in families/.
import { type Family, families, familyNames } from './registry.ts';
import { type SubjectInfo, subjects } from './subjects.ts';

export { type KeyKind, keyKinds } from './definition.ts';
export { type Family, families, familyNames } from './registry.ts';
export { type Subject, subjects } from './subjects.ts';

const DAY_S = 86_400;
/** How a key can be spelt by a person or a program; `url` and `auto` are resolved to one of the other three. */
export const keyFormats = ['website', 'id', 'shorthand_name', 'url', 'auto'] as const;
export type KeyFormat = (typeof keyFormats)[number];

/**
 * Tells whether a text is the name of a family.
 * @param name - any text
 */
export function isFamily(name: string): name is Family {
  return familyNames.some((family) => family === name);
}

/**
 * What is true of every family of a subject.
 */
export function getSubject(family: Family): SubjectInfo {
  return subjects[families[family].subject];
}

/** Seconds for which "no such record" is remembered. */
export const notFoundFreshForS = DAY_S;

/** So long, in seconds, a page of a preview is fresh. */
export const previewFreshForS = DAY_S;

/** Seconds after which a bought record must be gone: twelve months. */
export const retentionS = 365 * DAY_S;
