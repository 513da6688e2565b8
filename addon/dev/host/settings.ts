// The switches of the host: what Google does differently for some people, spreadsheets and times, or does not document.
// Three more are options of the host: `workbook.locale` (separators and texts of cells, see sheets/locales.ts),
// `properties.document: null` (no document properties at all) and the scopes of `manifest` (see scopes.ts).
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
  /** true: `getOwner()` throws, as for people who may not see the owner. Unverified. */
  readonly ownerFails: boolean;
  /**
   * OAuth scopes that the user denied. The consent screen of Google has a box for each one:
   * https://workspaceupdates.googleblog.com/2025/08/granular-oauth-consent-in-google-apps.html
   */
  readonly deniedScopes: readonly string[];
  /** true: the browser is signed in to several Google accounts, and calls of the sidebar fail. Source: script-run.ts. */
  readonly severalAccounts: boolean;
  /** false: HtmlService leaves comment-like texts in template literals alone. Source: services/html-comments.ts. */
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
   * true: a copied sheet gets a copy of the developer metadata of the sheet, its rows and its columns, with ids of its own.
   * Unverified.
   */
  readonly copiesMetadata: boolean;
}

/** The strict setting of each switch that a working add-on can live with; the others are as for most people. */
const DEFAULTS: Omit<Settings, 'people'> = {
  documentInFormulas: true,
  ownerFails: false,
  deniedScopes: [],
  severalAccounts: false,
  stripsComments: true,
  asciiDigests: true,
  reusesResults: false,
  serviceLatencyMs: 50,
  opensOtherSpreadsheets: false,
  copiesMetadata: true,
};

/** Returns the settings in these options, completed by the defaults. */
export function readSettings(options: Partial<Settings> & Pick<Settings, 'people'>): Settings {
  const settings = { ...DEFAULTS, people: options.people };
  const given = Object.entries(options).filter(([name, value]) => name in settings && value !== undefined);
  return { ...settings, ...Object.fromEntries(given) };
}
