// Formats numbers, times and names for display.
import { type Family, familyLabels, familyNames, previewFields } from '../../shared/families/registry.ts';
import type { Status } from '../server/api/index.ts';
import { formatCount, getLanguage, plural, t, translate } from '../texts/texts.ts';

const SHOWN_WORDS = 3;

/** `Name and Industry`, `Name, Industry, Size and 2 more`. */
export function formatList(all: readonly string[]): string {
  const hidden = all.length - SHOWN_WORDS;
  const words = hidden > 0 ? [...all.slice(0, SHOWN_WORDS), t('{hidden} more', { hidden })] : all;
  const last = words.at(-1);
  return words.length < 2 || last === undefined
    ? words.join()
    : t('{list} and {last}', { list: words.slice(0, -1).join(', '), last });
}

/** `a country`, `an industry`. */
export function addArticle(noun: string): string {
  const translated = { noun: translate(noun) };
  return /^[aeiou]/i.test(noun) ? t('an {noun}', translated) : t('a {noun}', translated);
}

/** `1 credit`, `20 credits`. */
export const formatCredits = (number: number): string => formatCount(number, 'credit');

/** `460 credits left.` */
export function formatBudget(remaining: number | null, credits: number): string {
  if (remaining === null) return '';
  const left = { credits: formatCredits(remaining) };
  return credits > remaining ? t('{credits} left, less than this price.', left) : t('{credits} left.', left);
}

/** `Enrich 3 rows · 30 credits`; without a price if it is free. */
export const addPrice = (label: string, credits: number, prefix = ''): string =>
  credits > 0 ? `${label} · ${prefix}${formatCredits(credits)}` : label;

/** `Enrich 3 rows · up to 30 credits`, `Enrich 3 rows · free`; `Enrich rows` while there are none. */
export const formatRunLabel = (
  action: 'Enrich {rows}' | 'Refresh {rows}' | 'Count {rows}',
  plan: { rows: number; credits: number } | undefined,
  prefix: string,
): string =>
  plan?.rows
    ? addKnownPrice(t(action, { rows: formatCount(plan.rows, 'row') }), plan.credits, prefix)
    : t(action, { rows: plural(0, 'row') });

/** `Refresh 3 rows · 30 credits`, `Refresh 3 rows · free`; without a price while it is undefined. */
export const addKnownPrice = (label: string, credits: number | undefined, prefix = ''): string =>
  credits === 0 ? t('{label} · free', { label }) : addPrice(label, credits ?? 0, prefix);

/** `20 rows cost 10 credits`, `1 row is free`. */
export function formatRowPrice(count: number, credits: number, prefix: string | 0 = ''): string {
  const rows = formatCount(count, 'row');
  if (credits === 0) return count === 1 ? t('{rows} is free', { rows }) : t('{rows} are free', { rows });
  const price = `${prefix || ''}${formatCredits(credits)}`;
  return count === 1 ? t('{rows} costs {price}', { rows, price }) : t('{rows} cost {price}', { rows, price });
}

/** `Companies, standard`. */
export function getFamilyLabel(family: Family): string {
  return translate(familyLabels[family].name);
}

/** Returns the nouns for records of a family: `company`, `companies`. */
export function getRecordNouns(family: Family): [singular: string, plural: string] {
  const { singular, plural: several } = familyLabels[family];
  return [translate(singular), translate(several)];
}

export const searchableFamilies: readonly Family[] = familyNames.filter(
  (family) => previewFields[family].length > 0,
);

/** `2 companies without rows`. */
export const formatWithout = (count: number): string =>
  t('{companies} without rows', { companies: formatCount(count, 'company', 'companies') });

/** `at most 5 for each company`. */
export const formatCompanyLimit = (limit: number): string => t('at most {limit} for each company', { limit });

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** `3 days ago`, `in 3 hours`; undefined for less than a minute. */
function formatDistance(ms: number): string | undefined {
  const seconds = ms / 1000;
  const unit = UNITS.find(([, size]) => Math.abs(seconds) >= size);
  return (
    unit && new Intl.RelativeTimeFormat(getLanguage().locale).format(Math.trunc(seconds / unit[1]), unit[0])
  );
}

/** `3 days ago`, `just now`. */
export const formatTimeSince = (iso: string): string =>
  formatDistance(Math.min(0, Date.parse(iso) - Date.now())) ?? t('just now');

/** `in 3 hours`, `in a moment`. */
export const formatTimeUntil = (iso: string): string =>
  formatDistance(Math.max(0, Date.parse(iso) - Date.now())) ?? t('in a moment');

/** `22 Dec 2026`. */
export const formatDate = (iso: string): string =>
  new Date(iso).toLocaleDateString(getLanguage().locale, { day: 'numeric', month: 'short', year: 'numeric' });

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

/** Explains that spending is off and names who can switch it on; undefined while it is on. */
export function describeSpendingOff({ connection, sheetSpending }: Status): string | undefined {
  if (connection?.spending === false)
    return t('Your admin turned off spending. Only your admin can turn it on again.');
  return sheetSpending
    ? undefined
    : t('Spending is off for this spreadsheet. Anyone who can edit it can turn it on in Activity.');
}

export const formulasNote = 'Formulas need the connection of the spreadsheet or of your company.';

export const enabledNote =
  'Formulas exist in a spreadsheet once you have opened this sidebar there. Reload it if cells still show #NAME?.';

export const ownUseNotice = 'For your company’s own use: don’t sell or publish it.';

/** `A1:B2` of `My sheet`. */
export function formatPlace(sheet: string, range: string): string {
  return range === '' ? sheet : `${sheet} · ${range}`;
}
