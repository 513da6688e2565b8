// Formats numbers, times and names for display, in English.
import { type Family, familyLabels, familyNames, previewFields } from '../../shared/families/registry.ts';
import { formatCount } from '../../shared/lib/format-count.ts';
import type { Status } from '../server/api/index.ts';

const SHOWN_WORDS = 3;

/** `Name and Industry`, `Name, Industry, Size and 2 more`. */
export function formatList(all: readonly string[]): string {
  const hidden = all.length - SHOWN_WORDS;
  const words = hidden > 0 ? [...all.slice(0, SHOWN_WORDS), `${hidden} more`] : all;
  return words.length === 1 ? words.join() : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** `a country`, `an industry`. */
export const addArticle = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;

/** `1 credit`, `20 credits`. */
export const formatCredits = (number: number): string => formatCount(number, 'credit');

/** `460 credits left.` */
export function formatBudget(remaining: number | null, credits: number): string {
  if (remaining === null) return '';
  return `${formatCredits(remaining)} left${credits > remaining ? ', less than this price' : ''}.`;
}

/** `Enrich 3 rows · 30 credits`; without a price if it is free. */
export const addPrice = (label: string, credits: number, prefix = ''): string =>
  credits > 0 ? `${label} · ${prefix}${formatCredits(credits)}` : label;

/** `Enrich 3 rows · up to 30 credits`, `Enrich 3 rows · free`; `Enrich rows` while there are none. */
export const formatRunLabel = (
  verb: string,
  plan: { rows: number; credits: number } | undefined,
  prefix: string,
): string =>
  plan?.rows
    ? addKnownPrice(`${verb} ${formatCount(plan.rows, 'row')}`, plan.credits, prefix)
    : `${verb} rows`;

/** `Refresh 3 rows · 30 credits`, `Refresh 3 rows · free`; without a price while it is undefined. */
export const addKnownPrice = (label: string, credits: number | undefined, prefix = ''): string =>
  credits === 0 ? `${label} · free` : addPrice(label, credits ?? 0, prefix);

/** `20 rows cost 10 credits`, `1 row is free`. */
export function formatRowPrice(rows: number, credits: number, prefix: string | 0 = ''): string {
  const [verb, costs] = rows === 1 ? ['is', 'costs'] : ['are', 'cost'];
  const cost = credits === 0 ? `${verb} free` : `${costs} ${prefix || ''}${formatCredits(credits)}`;
  return `${formatCount(rows, 'row')} ${cost}`;
}

/** `Companies, standard`. */
export function getFamilyLabel(family: Family): string {
  return familyLabels[family].name;
}

/** Returns the nouns for records of a family: `company`, `companies`. */
export function getRecordNouns(family: Family): [singular: string, plural: string] {
  const { singular, plural } = familyLabels[family];
  return [singular, plural];
}

export const searchableFamilies: readonly Family[] = familyNames.filter(
  (family) => previewFields[family].length > 0,
);

/** `2 companies without rows`. */
export const formatWithout = (count: number): string =>
  `${formatCount(count, 'company', 'companies')} without rows`;

/** `at most 5 for each company`. */
export const formatCompanyLimit = (limit: number): string => `at most ${limit} for each company`;

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** `3 days`; undefined for less than a minute. */
function formatDuration(ms: number): string | undefined {
  const unit = UNITS.find(([, size]) => ms >= size * 1000);
  return unit && formatCount(Math.floor(ms / 1000 / unit[1]), unit[0]);
}

/** `3 days ago`, `just now`. */
export function formatTimeSince(iso: string): string {
  const passed = formatDuration(Date.now() - Date.parse(iso));
  return passed === undefined ? 'just now' : `${passed} ago`;
}

/** `in 3 hours`, `in a moment`. */
export function formatTimeUntil(iso: string): string {
  return `in ${formatDuration(Date.parse(iso) - Date.now()) ?? 'a moment'}`;
}

/** `22 Dec 2026`. */
export function formatDate(iso: string): string {
  return new Date(iso).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
}

const THOUSANDS = /^\d{1,3}(?:[ ,.’']\d{3})+$/;

/**
 * Parses a whole number such as `1,240`.
 * @returns undefined if the text is not a number from 1 to `max`
 */
export function parseWholeNumber(text: string, max: number): number | undefined {
  const typed = text.trim();
  const plain = THOUSANDS.test(typed) ? typed.replace(/\D/g, '') : typed;
  const number = /^\d+$/.test(plain) ? Number(plain) : 0;
  return number >= 1 && number <= max ? number : undefined;
}

/** Says that spending is off, and who can switch it on; undefined while it is on. */
export function describeSpendingOff({ connection, sheetSpending }: Status): string | undefined {
  if (connection?.spending === false)
    return 'Your admin turned off spending. Only your admin can turn it on again.';
  return sheetSpending
    ? undefined
    : 'Spending is off for this spreadsheet. Anyone who can edit it can turn it on in Activity.';
}

export const formulasNote = 'Formulas need the connection of the spreadsheet or of your company.';

export const enabledNote =
  'Formulas exist in a spreadsheet once you have opened this sidebar there. Reload it if cells still show #NAME?.';

export const ownUseNotice = 'For your company’s own use: don’t sell or publish it.';

/** `A1:B2` of `My sheet`. */
export function formatPlace(sheet: string, range: string): string {
  return range === '' ? sheet : `${sheet} · ${range}`;
}
