// The spreadsheet's locale: first that of the page's address, as in ?locale=de_DE, then what a person has chosen; and dates as
// the numbers of spreadsheets.

/** In another locale than the default, formulas, numbers and placeholders are as Sheets has them there. */
export let locale = new URLSearchParams(location.search).get('locale') ?? 'en_US';

/** Changes the locale before the spreadsheet opens. */
export function setLocale(chosen: string): void {
  locale = chosen;
}

const MS_PER_DAY = 86_400_000;
/** Day 0 of spreadsheet dates. */
const EPOCH = [1899, 11, 30] as const;

export function toSerial(date: Date): number {
  const days = Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) - Date.UTC(...EPOCH);
  const time =
    Date.UTC(1970, 0, 1, date.getHours(), date.getMinutes(), date.getSeconds()) + date.getMilliseconds();
  return (days + time) / MS_PER_DAY;
}

export function fromSerial(serial: number): Date {
  const days = Math.floor(serial);
  const [year, month, day] = EPOCH;
  return new Date(year, month, day + days, 0, 0, 0, Math.round((serial - days) * MS_PER_DAY));
}
