// Describes cells that are no key: what they are instead, and how many.
import type { NotKeyCounts } from '../../shared/keys/not-keys.ts';
import { type NotKey, notKeys } from '../../shared/keys/result.ts';
import { formatCount, type Text } from './texts.ts';

const NOT_KEYS: Readonly<Record<NotKey, readonly [one: Text, several: Text]>> = {
  name: ['name', 'names'],
  mail: ['private e-mail address', 'private e-mail addresses'],
  page: ['page on a shared site', 'pages on shared sites'],
  profile: ['other link', 'other links'],
  website: ['website', 'websites'],
  id: ['ID', 'IDs'],
  number: ['number that is no ID', 'numbers that are no IDs'],
  other: ['other text', 'other texts'],
};

/** `2 names, 1 private e-mail address`; '' if there are none. */
export const describeNotKeys = (counts: NotKeyCounts): string =>
  notKeys.flatMap((is) => (counts[is] ? [formatCount(counts[is], ...NOT_KEYS[is])] : [])).join(', ');
