// Describes cells that are no key: what they are instead, and how many.
import { formatNumber } from '../lib/format-count.ts';
import { type NotKey, notKeys } from './result.ts';

/** Numbers of cells by what they are instead of a key. */
export type NotKeyCounts = Partial<Record<NotKey, number>>;

const labels: Readonly<Record<NotKey, readonly [one: string, several: string]>> = {
  name: ['name', 'names'],
  mail: ['private e-mail address', 'private e-mail addresses'],
  page: ['page on a shared site', 'pages on shared sites'],
  profile: ['other link', 'other links'],
  website: ['website', 'websites'],
  id: ['ID', 'IDs'],
  number: ['number that is no ID', 'numbers that are no IDs'],
  other: ['other text', 'other texts'],
};

export function countNotKeys(cells: readonly NotKey[]): NotKeyCounts {
  const counts: NotKeyCounts = {};
  for (const is of cells) counts[is] = (counts[is] ?? 0) + 1;
  return counts;
}

/** `2 names, 1 private e-mail address`; '' if there are none. */
export const describeNotKeys = (counts: NotKeyCounts): string =>
  notKeys
    .flatMap((is) => {
      const count = counts[is] ?? 0;
      return count === 0 ? [] : [`${formatNumber(count)} ${labels[is][count === 1 ? 0 : 1]}`];
    })
    .join(', ');
