// Counts of matches for the values of a list: the first ones and the visible ones, only while the list is open.
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Query } from '../../../shared/api/query.ts';
import type { Family } from '../../../shared/families/index.ts';
import { maxCountQueries } from '../../../shared/limits.ts';
import { callScript } from '../script.ts';

/** Delay after the values have changed. */
const DELAY_MS = 300;

/** Counts by family and query. They stay while the page is open. */
const counts = new Map<string, number>();

interface ValueCounts {
  /** Returns the count of a value; undefined while it is unknown. */
  get: (value: string) => number | undefined;
  /** Sets the values of the list. Once the first ones are counted, they decide its order. */
  rank: (values: readonly string[]) => void;
  /** Sets the visible values. Their counts do not move lines that a person is reading. */
  show: (values: readonly string[]) => void;
  /** Sorts values by their counts: the largest first, then unknown ones, then those without matches. */
  sort: (values: readonly string[]) => string[];
}

/** Counts the matches of values. Free. After a failure, such as a rate limit, the list stays without counts. */
export function useValueCounts(family: Family, toQuery: (value: string) => Query | undefined): ValueCounts {
  const [first, setFirst] = useState<readonly string[]>([]);
  const [visible, show] = useState<readonly string[]>([]);
  const [answers, setAnswers] = useState(0);
  const getKey = (value: string): string => JSON.stringify([family, toQuery(value)]);
  const get = (value: string): number | undefined => counts.get(getKey(value));
  const isUnknown = (value: string): boolean => get(value) === undefined;
  const missing = [...new Set([...first, ...visible])].filter(isUnknown).slice(0, maxCountQueries);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys contain the family and the queries.
  useEffect(() => {
    const keys = missing.map(getKey);
    const queries = missing.flatMap((value) => toQuery(value) ?? []);
    if (keys.length === 0 || queries.length < keys.length) return;
    let isOutdated = false;
    const timer = setTimeout(() => {
      void callScript('counts', { family, queries }).then((reply) => {
        if (reply.ok) for (const [at, key] of keys.entries()) counts.set(key, reply.value.totals[at] ?? 0);
        if (isOutdated) return;
        if (reply.ok) setAnswers((number) => number + 1);
        else for (const set of [setFirst, show]) set([]);
      });
    }, DELAY_MS);
    return () => {
      isOutdated = true;
      clearTimeout(timer);
    };
  }, [missing.map(getKey).join(), answers]);
  const isRanked = !first.some(isUnknown);
  // biome-ignore lint/correctness/useExhaustiveDependencies: later counts do not change the order.
  const ranks = useMemo(() => new Map(counts), [first, isRanked]);
  const getRank = (value: string): number => {
    const count = ranks.get(getKey(value));
    return count === 0 ? -1 : (count ?? 0);
  };
  return {
    get,
    rank: (values) => setFirst(values.slice(0, maxCountQueries)),
    show,
    sort: (values) =>
      values
        .map((value) => ({ value, rank: getRank(value) }))
        .sort((a, b) => b.rank - a.rank)
        .map(({ value }) => value),
  };
}
