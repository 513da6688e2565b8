// Counts cells that are no key, by what they are instead.
import type { NotKey } from './result.ts';

/** Numbers of cells by what they are instead of a key. */
export type NotKeyCounts = Partial<Record<NotKey, number>>;

export function countNotKeys(cells: readonly NotKey[]): NotKeyCounts {
  const counts: NotKeyCounts = {};
  for (const is of cells) counts[is] = (counts[is] ?? 0) + 1;
  return counts;
}
