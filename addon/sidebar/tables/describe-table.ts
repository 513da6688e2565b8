// Describes tables in words: contents, conditions of the search, and the price of a refresh.

import type { Query } from '../../../shared/api/query.ts';
import { hasPreviewField, previewPageSize } from '../../../shared/families/previews.ts';
import { familyLabels, prices } from '../../../shared/families/registry.ts';
import { DAY_MS } from '../../../shared/lib/durations.ts';
import { distinguishTitle } from '../../../shared/lib/format-count.ts';
import { type FormCondition, isFilledIn } from '../../../shared/query/form-query.ts';
import type { LastFill, Table } from '../../server/api/index.ts';
import { formatFieldLabel } from '../../texts/labels.ts';
import { formatCount, formatNumber, getLanguage, type Text, t, translate } from '../../texts/texts.ts';
import { formatCredits, formatList, formatTimeSince, formatWithout, getRecordNouns } from '../format.ts';
import { getFailureLabel } from '../run-view.tsx';
import { formatValues } from '../search/describe-condition.ts';
import { toConditions } from '../search/query-form.ts';

/** Where the rows of a table come from. Other tables add columns to existing rows. */
const ORIGINS = {
  search: '{records} from a search',
  bulk: '{records} from a bulk order',
} as const satisfies Partial<Record<Table['kind'], Text>>;

/** `Company industry` for a field of the group Experience. */
const getShortLabel = (path: string): string => formatFieldLabel(path).split(' › ').at(-1) ?? path;

/** Describes the conditions of a table's query in words, such as `Industry: software · Founded: 2010 or later`. */
export function describeQuery(
  { family, accounts }: Pick<Table, 'family' | 'accounts'>,
  query: Query,
): string {
  const records = getRecordNouns(family)[1];
  const everything =
    accounts === undefined
      ? t('All {records}', { records })
      : t('All {records} at these companies', { records });
  if ('text' in query) return query.text.trim() === '*' ? everything : query.text;
  const conditions = toConditions(family, query);
  if (conditions === undefined && 'es_dsl' in query) return t('a custom query');
  const filters = 'filters' in query ? Object.entries(query.filters) : [];
  const words = (
    conditions ?? filters.map(([name, value]): FormCondition => ({ name, values: [String(value)] }))
  )
    .filter(isFilledIn)
    .map((condition) => `${getShortLabel(condition.name)}: ${formatValues(family, condition)}`);
  return words.join(' · ') || everything;
}

/** Describes what a table contains: `100 companies from a search`, `Name and Industry for 15 rows of Companies`. */
export function describeContents(table: Table): string {
  const { kind, family, sheet, rows, columns, accounts, limitHeading } = table;
  const origin = kind === 'search' || kind === 'bulk' ? ORIGINS[kind] : undefined;
  // The rows of an order are not written yet.
  if (kind === 'bulk' && rows === 0)
    return t(ORIGINS.bulk, { records: translate(familyLabels[family].group) });
  if (kind === 'count')
    return t('Number of {records} for {rows} of {sheet}', {
      records: getRecordNouns(family)[1],
      rows: formatCount(rows, 'row'),
      sheet,
    });
  return origin === undefined
    ? t('{list} for {rows} of {sheet}', {
        list: formatList(columns.map((path) => formatFieldLabel(path))),
        rows: formatCount(rows, 'row'),
        sheet,
      })
    : [
        t(origin, { records: formatCount(rows, ...getRecordNouns(family)) }),
        ...(limitHeading === undefined
          ? []
          : [
              t('at companies with at least {count} under “{heading}”', {
                count: accounts?.atLeast?.count ?? 0,
                heading: limitHeading,
              }),
            ]),
      ].join(' ');
}

const COUNT_LABELS: Readonly<Partial<Record<string, Text>>> = {
  notFound: 'not found',
  found: 'found',
  invalid: 'invalid',
  failed: 'failed',
  changed: 'changed',
  added: 'added',
  updated: 'added or changed',
};

/** Describes the last run: `Last run 2 days ago: 238 found, 2 not found, 12 changed · 10 credits`. */
export function describeLastRun({ kind, rows: all, lastRun, isWaiting, gone }: Table): string {
  const { at, credits, saved, counts } = lastRun;
  if (isWaiting) return t('Its rows aren’t here yet: Bulk shows the state of the order');
  if (kind === 'bulk' && all === 0 && gone === undefined)
    return t('Its rows aren’t in the sheet: Bulk writes them for free');
  const rows = Object.entries(counts ?? {})
    .filter(([, count]) => count > 0)
    .map(([name, count]) =>
      name === 'without'
        ? formatWithout(count)
        : `${formatNumber(count)} ${getFailureLabel(name) ?? translate(COUNT_LABELS[name] ?? name)}`,
    )
    .join(', ');
  const since = formatTimeSince(at);
  const run = { since, rows: rows || (all === 0 ? t('no rows written') : t('nothing changed')) };
  return [
    counts === undefined
      ? t('Refreshed {since}', { since })
      : lastRun.decided
        ? t('Last run and decisions {since}: {rows}', run)
        : t('Last run {since}: {rows}', run),
    formatCredits(credits),
    ...(saved > 0 ? [t('{credits} of data reused', { credits: formatCredits(saved) })] : []),
  ].join(' · ');
}

/** Describes the last fill: `Last fill 2 minutes ago: 2 rows filled · 20 credits`. */
export const describeLastFill = ({ at, rows, notFound = 0, changes, credits, isUndone }: LastFill): string =>
  `${[
    t('Last fill {time}: {rows} filled', { time: formatTimeSince(at), rows: formatCount(rows, 'row') }),
    ...(notFound > 0 ? [t('{notFound} not found', { notFound })] : []),
    ...(changes > 0 ? [t('{values} changed', { values: formatCount(changes, 'value') })] : []),
    ...(isUndone ? [t('undone')] : []),
  ].join(', ')} · ${formatCredits(credits)}`;

/** `today 07:00`, `tomorrow 07:00`, `Monday 07:00`. */
function formatRunTime(at: Date): string {
  const time = at.toLocaleTimeString(getLanguage().locale, { hour: '2-digit', minute: '2-digit' });
  const days = [0, 1].map((day) => new Date(Date.now() + day * DAY_MS).toDateString());
  const day = [t('today'), t('tomorrow')][days.indexOf(at.toDateString())];
  return `${day ?? at.toLocaleDateString(getLanguage().locale, { weekday: 'long' })} ${time}`;
}

/** Describes the next scheduled run: `Next refresh Monday 07:00, at most 100 credits (your limit)`. */
export function describeNextRun({ autoRefresh }: Table): string | undefined {
  if (!autoRefresh?.nextAt) return undefined;
  const { nextAt, maxCredits } = autoRefresh;
  return t('Next refresh {runTime}, at most {credits} (your limit)', {
    runTime: formatRunTime(new Date(nextAt)),
    credits: formatCredits(maxCredits),
  });
}

/** Adds the sheet's name to titles that several tables have. */
export function distinguishTitles(tables: Table[]): Table[] {
  const titles = tables.map(({ title }) => title);
  return tables.map((table) => ({ ...table, title: distinguishTitle(table.title, table.sheet, titles) }));
}

const pricePages = ({ family, rows }: Table): number =>
  Math.ceil(rows / previewPageSize) * prices[family].preview;

const priceRecords = ({ family, rows, records = rows }: Table): number => records * prices[family].record;

/** Pages have all columns of a search at companies. */
const hasRecordColumns = ({ kind, family, columns, accounts }: Table): boolean =>
  kind === 'search' && accounts === undefined && columns.some((path) => !hasPreviewField(family, path));

/** Describes the highest price of a refresh and what decides it. How names and companies match is not known before. */
export function describeRefreshPrice(table: Table): string | undefined {
  const { kind, rows, records = rows, accounts, hasNames } = table;
  if (rows === 0) return undefined;
  if (kind === 'count') return t('Refresh: free');
  if (hasNames || accounts !== undefined)
    return t('Refresh shows its price first: it depends on the matches');
  const price = t('at most {credits}', { credits: formatCredits(priceRun(table)) });
  if (kind === 'bulk') return t('Order again: {price}; records your team has are free', { price });
  if (hasRecordColumns(table))
    return t('Refresh: {price}, and up to {more} more for outdated full records', {
      price,
      more: priceRecords(table),
    });
  const all = kind === 'search' ? formatCount(rows, 'row') : formatCount(records, 'record');
  return t('Refresh: {price}, if all {all} are outdated', { price, all });
}

const priceRun = (table: Table): number =>
  table.kind === 'search' ? pricePages(table) : priceRecords(table);

/** Suggests a limit for a scheduled run: enough for all rows, in hundreds. */
export const suggestMaxCredits = (table: Table): number => Math.ceil(priceRun(table) / 100) * 100 || 100;

/**
 * Describes the price of a scheduled run and what limits it. Runs of searches buy pages, never full records.
 * @param maxCredits - the person's limit for a run
 * @param runs - most runs of a month
 */
export function listScheduleLimits(table: Table, maxCredits: number, runs: number): string[] {
  const credits = priceRun(table);
  const price = formatCredits(credits);
  const rows = formatCount(table.rows, 'row');
  return [
    maxCredits < credits
      ? t('If all {rows} have changed, a run would cost {price}: more than this limit, so it buys nothing.', {
          rows,
          price,
        })
      : t('A run now costs at most {price}, if all {rows} have changed.', { price, rows }),
    t('No run costs more than this limit, and no month more than {credits} ({runs} runs).', {
      credits: formatCredits(maxCredits * runs),
      runs,
    }),
    ...(hasRecordColumns(table) ? [t('Columns of full records keep their values.')] : []),
  ];
}
