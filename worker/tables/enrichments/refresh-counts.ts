// Counts the companies of a column of counts again, and reports which have reached the number of an alert. Free.
import { countField } from '../../../shared/accounts.ts';
import { formatCount, formatNumber } from '../../../shared/lib/format-count.ts';
import { hashText } from '../../../shared/lib/hash.ts';
import { maxLookupKeys } from '../../../shared/limits.ts';
import type { EnrichmentRow } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import type { GatewayContext } from '../../gateway/context.ts';
import { filterErasedPseudonyms } from '../../gateway/refusal-list/erasure-list.ts';
import { enqueueAlert } from '../alerts/enqueue-alert.ts';
import type { Pusher } from '../push/pusher.ts';
import { appendChanges } from '../reports/changes-sheet.ts';
import { countKeys } from './counts.ts';
import { createKeyPseudonyms, type EnrichmentKey, toKeyName } from './keys.ts';
import type { RefreshResult } from './refresh.ts';
import { toRecordEntries } from './sheet-rows.ts';
import type { EnrichmentStore, SheetValues } from './store.ts';
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
async function reportReached(
  env: Env,
  pusher: Pusher,
  store: EnrichmentStore,
  row: EnrichmentRow,
  counted: Iterable<CountedCompany>,
): Promise<void> {
  const { teamId, id, title, alertAt, nextAt, columns } = row;
  if (alertAt === null) return;
  const reached = [...counted].filter(
    ({ before, total }) => before !== undefined && before < alertAt && total >= alertAt,
  );
  if (reached.length === 0) return;
  const limit = formatNumber(alertAt);
  await appendChanges(
    pusher,
    createSource(env, store, row),
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
  env: Env,
  store: EnrichmentStore,
  pusher: Pusher,
  row: EnrichmentRow,
  query: NonNullable<EnrichmentRow['query']>,
  keys: readonly EnrichmentKey[],
  context: GatewayContext,
): Promise<RefreshResult & { isPartial: boolean }> {
  const pseudonyms = await createKeyPseudonyms(env, row, keys);
  const known = await store.findValues(row, pseudonyms.values());
  const erased = new Set(await filterErasedPseudonyms(env.DB, [...pseudonyms.values()]));
  const findValues = (name: string): SheetValues | undefined => known.get(pseudonyms.get(name) ?? '');
  const due = row.nextAt ?? 0;
  const old = new Map(
    keys.flatMap((key) => {
      const name = toKeyName(key);
      const isOld = (findValues(name)?.fetchedAt ?? 0) < due && !erased.has(pseudonyms.get(name) ?? '');
      return isOld ? [[name, key] as const] : [];
    }),
  );
  const answers = await countKeys(context, row, query, [...old.values()].slice(0, maxLookupKeys));
  const counted = new Map<string, CountedCompany>();
  const values = new Map<string, SheetValues>();
  for (const [name, answer] of answers) {
    const total = answer.record?.[countField];
    const pseudonym = pseudonyms.get(name) ?? '';
    const { cells = {} } = findValues(name) ?? {};
    const last = cells[countField];
    if (typeof total === 'number' && answer.record !== undefined)
      counted.set(name, {
        answer,
        entries: toRecordEntries(row, answer.record),
        pseudonym,
        hashes: {},
        total,
        ...(last === undefined ? {} : { before: Number(last) }),
        isWebsite: old.get(name)?.kind === 'website',
      });
    else if (answer.status !== 'not_found') continue;
    const fetchedAt = Math.max(context.now(), due);
    values.set(pseudonym, {
      fetchedAt,
      cells: typeof total === 'number' ? { [countField]: String(total) } : cells,
    });
  }
  const changes = await writeChanges(env, pusher, store, row, counted);
  await reportReached(env, pusher, store, row, counted.values());
  await store.putValues(row, values);
  return { changes, credits: 0, isPartial: values.size > 0 && values.size < old.size };
}
