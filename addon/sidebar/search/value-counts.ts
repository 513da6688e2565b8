// Counts of matches for the values of a list: the common ones and the visible ones, only while the list is open.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Query } from '../../../shared/api/query.ts';
import type { Family } from '../../../shared/families/index.ts';
import { maxCountQueries } from '../../../shared/limits.ts';
import { t } from '../../texts/texts.ts';
import { callScript } from '../script.ts';

const DELAY_MS = 300;

/** Counts by family and query. They stay while the page is open. */
const counts = new Map<string, number>();

interface GroupedValue {
  value: string;
  /** '': the list has no groups. */
  group: string;
}

/**
 * Counts the matches of values. Free. After a failure, such as a rate limit, the list stays without counts.
 * @param values - all values, the common ones first
 */
export function useValueCounts(
  family: Family,
  values: readonly string[],
  toQuery: (value: string) => Query | undefined,
) {
  const [found, find] = useState(values);
  const [visible, show] = useState<readonly string[]>([]);
  const [answers, setAnswers] = useState(0);
  const failed = useRef('');
  const getKey = (value: string): string => JSON.stringify([family, toQuery(value)]);
  const get = (value: string): number | undefined => counts.get(getKey(value));
  const isUnknown = (value: string): boolean => get(value) === undefined;
  const common = found.slice(0, maxCountQueries);
  const missing = [...new Set([...common, ...visible])].filter(isUnknown).slice(0, maxCountQueries);
  const missingKey = missing.map(getKey).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key contains the family and the queries.
  useEffect(() => {
    const keys = missing.map(getKey);
    const queries = missing.flatMap((value) => toQuery(value) ?? []);
    if (keys.length === 0 || queries.length < keys.length || missingKey === failed.current) return;
    let isOutdated = false;
    const timer = setTimeout(() => {
      void callScript('counts', { family, queries }).then((reply) => {
        if (reply.ok) for (const [at, key] of keys.entries()) counts.set(key, reply.value.totals[at] ?? 0);
        else failed.current = missingKey;
        if (!isOutdated) setAnswers((number) => number + 1);
      });
    }, DELAY_MS);
    return () => {
      isOutdated = true;
      clearTimeout(timer);
    };
  }, [missingKey, answers]);
  const isRanked = !common.some(isUnknown);
  // biome-ignore lint/correctness/useExhaustiveDependencies: later counts do not change the order.
  const ranks = useMemo(() => new Map(counts), [found, isRanked]);
  const getRank = (value: string): number => ranks.get(getKey(value)) ?? 0;
  return {
    /** Returns the count of a value; undefined while it is unknown. */
    get,
    /** Sets the values that a search found, the common ones first. */
    find,
    /** Sets the visible values. Their counts do not move lines that a person is reading. */
    show,
    /** Groups values: common ones by their counts, once all of them are counted, then the others by name. */
    group: (all: readonly string[]): GroupedValue[] => {
      const hasOthers = found.length > common.length;
      const first = common.filter((value) => all.includes(value));
      const commonGroup = isRanked ? t('Common, most matches first') : t('Common');
      return [
        ...(isRanked ? first.sort((a, b) => getRank(b) - getRank(a)) : first).map((value) => ({
          value,
          group: hasOthers ? commonGroup : '',
        })),
        ...all
          .filter((value) => !common.includes(value))
          .sort((a, b) => a.localeCompare(b))
          .map((value) => ({ value, group: t('Others, A to Z') })),
      ];
    },
  };
}
