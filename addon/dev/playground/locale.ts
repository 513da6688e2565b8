// The spreadsheet's locale: first that of the page's address, as in ?locale=de_DE, then what a person has chosen. And the
// language of the person, which is independent of it.

/** In another locale than the default, formulas, numbers and placeholders are as Sheets has them there. */
export let locale = new URLSearchParams(location.search).get('locale') ?? 'en_US';

/** Changes the locale before the spreadsheet opens. */
export function setLocale(chosen: string): void {
  locale = chosen;
}

const asked = new URLSearchParams(location.search).get('language') ?? navigator.language;

/** The language of the person's account: that of the page's address, as in ?language=de, or else of the browser. */
export const language = asked.startsWith('de') ? 'de' : 'en';
