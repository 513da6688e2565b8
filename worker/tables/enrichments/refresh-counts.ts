// Counts the companies of a column of counts again, and reports which have reached the number of an alert. Free.
import { countField } from '../../../shared/accounts.ts';
import { formatCount, formatNumber } from '../../../shared/lib/format-count.ts';
import { hashText } from '../../../shared/lib/hash.ts';
import { maxLookupKeys } from '../../../shared/limits.ts';
import type { EnrichmentRow } from '../../db/schema.ts';
import { filterErasedPseudonyms } from '../../gateway/refusal-list/erasure-list.ts';
import { enqueueAlert } from '../alerts/enqueue-alert.ts';
import { appendChanges } from '../reports/changes-sheet.ts';
import { countKeys } from './counts.ts';
import type { ClosedRun } from './fill.ts';
import type { EnrichmentKey } from './keys.ts';
import { listCandidates, type RefreshResult } from './refresh.ts';
import { toRecordEntries } from './sheet-rows.ts';
import type { SheetValues } from './store.ts';
import { createSource, type RenewedRecord, writeChanges } from './write-changes.ts';

/** Companies that an alert names. */
const MAX_NAMED = 10;

/** A company that was counted. */
interface CountedCompany extends RenewedRecord {
  total: number;
  /** The count before; undefined for the first one. */
  before?: number;
  isWebsite: boolean;
}

/** Tells the sheet and alert addresses which companies have reached the number of the alert since the count before. */
async function reportReached(run: ClosedRun, counted: Iterable<CountedCompany>): Promise<void> {
  const { env, pusher, row } = run;
  const { teamId, id, title, alertAt, nextAt, columns } = row;
  if (alertAt === null) return;
  const reached = [...counted].filter(
    ({ before, total }) => before !== undefined && before < alertAt && total >= alertAt,
  );
  if (reached.length === 0) return;
  const limit = formatNumber(alertAt);
  await appendChanges(
    pusher,
    createSource(run),
    reached.map(({ answer, before = 0, total }) => ({
      record: answer.key,
      column: 0,
      before,
      after: total,
    })),
    () => ({ name: '', heading: columns[0]?.heading ?? '', signal: `Reached ${limit}` }),
  );
  // An erasure finds messages by websites only.
  const named = reached.filter(({ isWebsite }) => isWebsite).slice(0, MAX_NAMED);
  const rest = reached.length - named.length;
  const names = [
    ...named.map(({ answer, total }) => `${answer.key} (${formatNumber(total)})`),
    ...(rest > 0 ? [`${named.length > 0 ? 'and ' : ''}${formatNumber(rest)} more`] : []),
  ];
  const companies = formatCount(reached.length, 'company', 'companies');
  const text = `“${title}”: ${companies} reached ${limit} since the last count: ${names.join(', ')}. The sheet Changes lists them.`;
  // The same for a run that is repeated after a crash.
  const digest = hashText(JSON.stringify(reached.map(({ answer, total }) => [answer.key, total])));
  const subject = `reached:${id}:${nextAt}:${digest}`;
  await enqueueAlert(env, { teamId, kind: 'change', subject, text }, pusher.now());
}

/**
 * Counts the companies again that were not counted since the run was due, and writes changed numbers. Free. Other values than
 * numbers, formulas, and counts of erased companies are kept. The counts are stored last, so that a run that is repeated reports the same.
 * @param keys - keys of rows with values
 * @returns whether companies are left to count, and this run has counted some
 * @throws ProblemError
 */
export async function refreshCounts(
  run: ClosedRun,
  query: NonNullable<EnrichmentRow['query']>,
  keys: readonly EnrichmentKey[],
): Promise<RefreshResult & { isPartial: boolean }> {
  const { env, store, row, context } = run;
  const candidates = await listCandidates(run, keys);
  const pseudonyms = candidates.map(({ pseudonym }) => pseudonym);
  const erased = new Set(await filterErasedPseudonyms(env.DB, pseudonyms));
  const due = row.nextAt ?? 0;
  const old = candidates.filter(
    ({ pseudonym, values }) => (values?.fetchedAt ?? 0) < due && !erased.has(pseudonym),
  );
  const next = old.slice(0, maxLookupKeys);
  const answers = await countKeys(
    run,
    query,
    next.map(({ key }) => key),
  );
  const counted = new Map<string, CountedCompany>();
  const values = new Map<string, SheetValues>();
  for (const { key, name, pseudonym, values: stored } of next) {
    const answer = answers.get(name);
    if (answer === undefined) continue;
    const total = answer.record?.[countField];
    const cells = stored?.cells ?? {};
    const last = cells[countField];
    if (typeof total === 'number' && answer.record !== undefined)
      counted.set(name, {
        answer,
        entries: toRecordEntries(row, answer.record),
        pseudonym,
        hashes: {},
        total,
        ...(last === undefined ? {} : { before: Number(last) }),
        isWebsite: key.kind === 'website',
      });
    else if (answer.status !== 'not_found') continue;
    values.set(pseudonym, {
      fetchedAt: Math.max(context.now(), due),
      cells: typeof total === 'number' ? { [countField]: String(total) } : cells,
    });
  }
  const changes = await writeChanges(run, counted);
  await reportReached(run, counted.values());
  await store.putValues(row, values);
  return { changes, credits: 0, isPartial: values.size > 0 && values.size < old.length };
}
