// The switches of the host: what Google does differently for some people, spreadsheets and times, or does not document.
// Three more are options of the host: `workbook.locale` (separators and texts of cells, see sheets/locales.ts),
// `properties.document: null` (no document properties at all) and the scopes of `manifest` (see permissions.ts).
// test/addon/dev/host/switches.test.ts runs the built add-on under the strict setting of each.

/** Email addresses of the spreadsheet's owner and of the current user. */
export interface People {
  /** null: the spreadsheet is in a shared drive. Reference "Spreadsheet.getOwner". */
  readonly owner: string | null;
  readonly viewer: string;
}

/** Settings that can change during the lifetime of a host. */
export interface Settings {
  readonly people: People;
  /** false: `getDocumentProperties()` returns null in formulas but not in menus. Unverified. */
  readonly documentInFormulas: boolean;
  /** true: `getActiveRange()` throws in formulas. Unverified. */
  readonly ownCellFails: boolean;
  /** true: `getName()` of the spreadsheet throws. Unverified. */
  readonly nameFails: boolean;
  /** true: `getOwner()` throws, as for people who may not see the owner. Unverified. */
  readonly ownerFails: boolean;
  /**
   * true: formulas see no address of the owner. They run as an anonymous user, by an older table of Google's authorization guide:
   * https://stackguides.com/questions/52053177/how-to-run-a-google-apps-script-in-a-read-only-spreadsheet
   */
  readonly ownerHiddenInFormulas: boolean;
  /**
   * OAuth scopes that the user denied. The consent screen of Google has a box for each one:
   * https://workspaceupdates.googleblog.com/2025/08/granular-oauth-consent-in-google-apps.html
   */
  readonly deniedScopes: readonly string[];
  /**
   * How calls of the sidebar fail in a browser that is signed in to several Google accounts: before the script runs, with one
   * of two messages, or when the script calls UrlFetchApp. Source: script-run.ts.
   */
  readonly severalAccounts: 'none' | 'storage' | 'authorization' | 'fetch';
  /** false: HtmlService leaves comment-like texts in template literals alone. */
  readonly stripsComments: boolean;
  /**
   * false: digests and signatures of texts without a charset use UTF-8 instead of US_ASCII. The reference names no default:
   * unverified.
   */
  readonly asciiDigests: boolean;
  /**
   * true: a formula with the same arguments gets an earlier result. Google does not document it. People report both: kept
   * results (https://github.com/0graph/yfinance/issues/4), and functions that run again unasked when a spreadsheet is loaded
   * (https://github.com/scryfall/google-sheets/issues/19).
   */
  readonly reusesResults: boolean;
  /**
   * The time that each call of a service takes, in ms. It is counted, not waited for: the script's clock and its time limit
   * advance. Guide "Best practices": calls of services are slow compared with JavaScript. The amount is unverified.
   */
  readonly serviceLatencyMs: number;
  /**
   * true: the scope spreadsheets.currentonly also authorizes `openById` and its relatives, as their reference says. Developers
   * report that Google refuses these calls: https://justin.poehnelt.com/posts/apps-script-currentonly-scopes
   */
  readonly opensOtherSpreadsheets: boolean;
  /**
   * true: a copied sheet gets a copy of the developer metadata of the sheet, its rows and its columns, with new ids.
   * Unverified.
   */
  readonly copiesMetadata: boolean;
  /**
   * How `getContentText()` decodes an answer that names no charset. Apps Script infers one, and people got damaged letters:
   * https://github.com/derekantrican/GAS-ICS-Sync/pull/525. That it infers Latin-1 is unverified.
   */
  readonly unnamedCharset: 'ISO-8859-1' | 'UTF-8';
  /** The language of the account, in which Google words its refusals. Source: languages.ts. */
  readonly language: 'en' | 'de' | 'es' | 'ja';
  /**
   * true: `getDocumentProperties()` throws instead of returning null. One report:
   * https://github.com/googlearchive/apps-script-form-notifications-addon/issues/11
   */
  readonly documentFails: boolean;
}

/** The strict setting of each switch that a working add-on can live with; the others are as for most people. */
const DEFAULTS: Omit<Settings, 'people'> = {
  documentInFormulas: true,
  ownCellFails: false,
  nameFails: false,
  ownerFails: false,
  ownerHiddenInFormulas: true,
  deniedScopes: [],
  severalAccounts: 'none',
  stripsComments: true,
  asciiDigests: true,
  reusesResults: false,
  serviceLatencyMs: 50,
  opensOtherSpreadsheets: false,
  copiesMetadata: true,
  unnamedCharset: 'ISO-8859-1',
  language: 'en',
  documentFails: false,
};

/** Returns the settings in these options, completed by the defaults. */
export function readSettings(options: Partial<Settings> & Pick<Settings, 'people'>): Settings {
  const settings = { ...DEFAULTS, people: options.people };
  const given = Object.entries(options).filter(([name, value]) => name in settings && value !== undefined);
  return { ...settings, ...Object.fromEntries(given) };
}
