// Describes tables in words: contents, conditions of the search, and the price of a refresh.

import type { Query } from '../../../shared/api/query.ts';
import { hasPreviewField, previewPageSize } from '../../../shared/families/previews.ts';
import { familyLabels, prices } from '../../../shared/families/registry.ts';
import { DAY_MS } from '../../../shared/lib/durations.ts';
import { distinguishTitle, formatCount, formatNumber } from '../../../shared/lib/format-count.ts';
import { formatFieldLabel } from '../../../shared/query/field-labels.ts';
import { type FormCondition, isFilledIn } from '../../../shared/query/form-query.ts';
import type { LastFill, Table } from '../../server/api/index.ts';
import { formatCredits, formatList, formatTimeSince, formatWithout, getRecordNouns } from '../format.ts';
import { FAILURE_LABELS } from '../run-view.tsx';
import { formatValues } from '../search/describe-condition.ts';
import { toConditions } from '../search/query-form.ts';

/** Where the rows of a table come from. Other tables add columns to existing rows. */
const ORIGINS: Partial<Record<Table['kind'], string>> = {
  search: 'from a search',
  bulk: 'from a bulk order',
};

/** `Company industry` for a field of the group Experience. */
const getShortLabel = (path: string): string => formatFieldLabel(path).split(' › ').at(-1) ?? path;

/** Describes the conditions of a table's query in words, such as `Industry: software · Founded: 2010 or later`. */
export function describeQuery(
  { family, accounts }: Pick<Table, 'family' | 'accounts'>,
  query: Query,
): string {
  const everything = `All ${getRecordNouns(family)[1]}${accounts === undefined ? '' : ' at these companies'}`;
  if ('text' in query) return query.text.trim() === '*' ? everything : query.text;
  const conditions = toConditions(family, query);
  if (conditions === undefined && 'es_dsl' in query) return 'a custom query';
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
  const origin = ORIGINS[kind];
  // The rows of an order are not written yet.
  if (kind === 'bulk' && rows === 0) return `${familyLabels[family].group} ${origin}`;
  if (kind === 'count')
    return `Number of ${getRecordNouns(family)[1]} for ${formatCount(rows, 'row')} of ${sheet}`;
  return origin === undefined
    ? `${formatList(columns.map((path) => formatFieldLabel(path)))} for ${formatCount(rows, 'row')} of ${sheet}`
    : `${formatCount(rows, ...getRecordNouns(family))} ${origin}${limitHeading === undefined ? '' : ` at companies with at least ${formatNumber(accounts?.atLeast?.count ?? 0)} under “${limitHeading}”`}`;
}

const COUNT_LABELS: Readonly<Partial<Record<string, string>>> = {
  notFound: 'not found',
  updated: 'added or changed',
};

/** Describes the last run: `Last run 2 days ago: 238 found, 2 not found, 12 changed · 10 credits`. */
export function describeLastRun({ kind, rows: all, lastRun, isWaiting, gone }: Table): string {
  const { at, credits, saved, counts } = lastRun;
  if (isWaiting) return 'Its rows aren’t here yet: Bulk shows the state of the order';
  if (kind === 'bulk' && all === 0 && gone === undefined)
    return 'Its rows aren’t in the sheet: Bulk writes them for free';
  const rows = Object.entries(counts ?? {})
    .filter(([, count]) => count > 0)
    .map(([name, count]) =>
      name === 'without'
        ? formatWithout(count)
        : `${formatNumber(count)} ${COUNT_LABELS[name] ?? FAILURE_LABELS[name] ?? name}`,
    )
    .join(', ');
  const since = formatTimeSince(at);
  return [
    counts === undefined
      ? `Refreshed ${since}`
      : `Last run${lastRun.decided ? ' and decisions' : ''} ${since}: ${rows || (all === 0 ? 'no rows written' : 'nothing changed')}`,
    formatCredits(credits),
    ...(saved > 0 ? [`${formatCredits(saved)} of data reused`] : []),
  ].join(' · ');
}

/** Describes the last fill: `Last fill 2 minutes ago: 2 rows filled · 20 credits`. */
export const describeLastFill = ({ at, rows, notFound = 0, changes, credits, isUndone }: LastFill): string =>
  `Last fill ${formatTimeSince(at)}: ${formatCount(rows, 'row')} filled${notFound > 0 ? `, ${formatNumber(notFound)} not found` : ''}${changes > 0 ? `, ${formatCount(changes, 'value')} changed` : ''}${isUndone ? ', undone' : ''} · ${formatCredits(credits)}`;

/** `today 07:00`, `tomorrow 07:00`, `Monday 07:00`. */
function formatRunTime(at: Date): string {
  const time = at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  const days = [0, 1].map((day) => new Date(Date.now() + day * DAY_MS).toDateString());
  const day = ['today', 'tomorrow'][days.indexOf(at.toDateString())];
  return `${day ?? at.toLocaleDateString('en-GB', { weekday: 'long' })} ${time}`;
}

/** Describes the next scheduled run: `Next refresh Monday 07:00, at most 100 credits (your limit)`. */
export function describeNextRun({ autoRefresh }: Table): string | undefined {
  if (!autoRefresh?.nextAt) return undefined;
  const { nextAt, maxCredits } = autoRefresh;
  return `Next refresh ${formatRunTime(new Date(nextAt))}, at most ${formatCredits(maxCredits)} (your limit)`;
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
  if (kind === 'count') return 'Refresh: free';
  if (hasNames || accounts !== undefined) return 'Refresh shows its price first: it depends on the matches';
  const price = `at most ${formatCredits(priceRun(table))}`;
  if (kind === 'bulk') return `Order again: ${price}; records your team has are free`;
  return `Refresh: ${price}, ${hasRecordColumns(table) ? `and up to ${formatNumber(priceRecords(table))} more for outdated full records` : `if all ${kind === 'search' ? formatCount(rows, 'row') : formatCount(records, 'record')} are outdated`}`;
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
      ? `If all ${rows} have changed, a run would cost ${price}: more than this limit, so it buys nothing.`
      : `A run now costs at most ${price}, if all ${rows} have changed.`,
    `No run costs more than this limit, and no month more than ${formatCredits(maxCredits * runs)} (${formatNumber(runs)} runs).`,
    ...(hasRecordColumns(table) ? ['Columns of full records keep their values.'] : []),
  ];
}
