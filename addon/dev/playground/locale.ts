// The spreadsheet's locale: part of the page's address, as in ?locale=de_DE.

/** In another locale than the default, formulas, numbers and placeholders are as Sheets has them there. */
export const locale = new URLSearchParams(location.search).get('locale') ?? 'en_US';
