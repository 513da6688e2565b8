// Counts of matches for the visible values of a list: a few at a time, and only while the list is open.
import { useEffect, useState } from 'preact/hooks';
import type { Query } from '../../../shared/api/query.ts';
import type { Family } from '../../../shared/families/index.ts';
import { maxCountQueries } from '../../../shared/limits.ts';
import { callScript } from '../script.ts';

/** Delay after the visible values have changed. */
const DELAY_MS = 300;

/** Counts by family and query. They stay while the page is open. */
const counts = new Map<string, number>();

interface ValueCounts {
  /** Returns the count of a value; undefined while it is unknown. */
  get: (value: string) => number | undefined;
  /** Sets the visible values; none ends the counting. */
  show: (values: readonly string[]) => void;
}

/** Counts the matches of visible values. Free. After a failure, such as a rate limit, the list stays without counts. */
export function useValueCounts(family: Family, toQuery: (value: string) => Query | undefined): ValueCounts {
  const [visible, show] = useState<readonly string[]>([]);
  const [answers, setAnswers] = useState(0);
  const getKey = (value: string): string => JSON.stringify([family, toQuery(value)]);
  const missing = visible.filter((value) => !counts.has(getKey(value))).slice(0, maxCountQueries);
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
        else show([]);
      });
    }, DELAY_MS);
    return () => {
      isOutdated = true;
      clearTimeout(timer);
    };
  }, [missing.map(getKey).join(), answers]);
  return { get: (value) => counts.get(getKey(value)), show };
}
