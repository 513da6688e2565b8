// The spreadsheet's locale: first that of the page's address, as in ?locale=de_DE, then what a person has chosen.

/** In another locale than the default, formulas, numbers and placeholders are as Sheets has them there. */
export let locale = new URLSearchParams(location.search).get('locale') ?? 'en_US';

/** Changes the locale before the spreadsheet opens. */
export function setLocale(chosen: string): void {
  locale = chosen;
}
