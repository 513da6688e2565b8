// Counts people or open jobs at the companies of a column of counts. Free.
import { countField, findAccountList } from '../../../shared/accounts.ts';
import type { LookupRow } from '../../../shared/api/lookup.ts';
import { formatKey } from '../../../shared/keys/index.ts';
import { maxWaitMs } from '../../../shared/limits.ts';
import { type ProblemCode, problems } from '../../../shared/problems.ts';
import type { EnrichmentRow } from '../../db/schema.ts';
import { countAccounts } from '../../matching/accounts/plan.ts';
import type { Filling } from './fill.ts';
import { type EnrichmentKey, toKeyName } from './keys.ts';

/** Checks whether another count of the company would have the same problem. */
function isFinal(problem: ProblemCode): boolean {
  const { ends, retry } = problems[problem].policy;
  return ends === 'row' && retry === 'never';
}

/** Counts the matches of companies. Free. @returns rows as of a lookup, by {@link toKeyName} @throws ProblemError */
export async function countKeys(
  { row: { family }, context }: Filling,
  query: NonNullable<EnrichmentRow['query']>,
  keys: readonly EnrichmentKey[],
): Promise<Map<string, LookupRow>> {
  const list = findAccountList(family);
  if (list === undefined || keys.length === 0) return new Map();
  const companies = keys.map(formatKey);
  const counts = await countAccounts(list, { ...query, companies, wait_ms: maxWaitMs }, context);
  return new Map(
    keys.map((key, at): [string, LookupRow] => {
      const { company = '', total, problem = at in counts ? undefined : 'internal' } = counts[at] ?? {};
      const row = { key: company, credits: 0 };
      const answer: LookupRow =
        problem === undefined
          ? { ...row, status: 'fetched', record: { [countField]: total } }
          : { ...row, status: isFinal(problem) ? 'not_found' : 'failed', problem };
      return [toKeyName(key), answer];
    }),
  );
}
