// The words that sample data is sorted by: trades, sectors, languages, and how their tables are shaped.

/** Broad sectors; sentences that fit any trade of a sector are kept per sector. */
export const SECTORS = [
  'software',
  'industry',
  'building',
  'food',
  'health',
  'advice',
  'retail',
  'transport',
  'civic',
  'media',
  'energy',
] as const;

/** One broad sector. */
export type Sector = (typeof SECTORS)[number];

/** Narrow trades: a company has exactly one, and everything that is said about it fits that trade. */
export const TRADES = [
  'workflow',
  'telematics',
  'clinicsoft',
  'tablesoft',
  'payments',
  'dataplatform',
  'security',
  'itservices',
  'edtech',
  'hrtech',
  'legaltech',
  'language',
  'games',
  'telecom',
  'warehousing',
  'packaging',
  'machining',
  'sensors',
  'meddevices',
  'plastics',
  'coatings',
  'textiles',
  'furniture',
  'autoparts',
  'drones',
  'chips',
  'contractor',
  'civil',
  'architects',
  'property',
  'hvac',
  'foodmaker',
  'drinks',
  'farm',
  'restaurant',
  'hotel',
  'coffee',
  'hospital',
  'dental',
  'biotech',
  'pharma',
  'fitness',
  'vets',
  'accounting',
  'law',
  'wealth',
  'insurance',
  'consulting',
  'recruiting',
  'banking',
  'fashion',
  'sports',
  'cosmetics',
  'onlineshop',
  'freight',
  'courier',
  'wholesale',
  'school',
  'college',
  'charity',
  'museum',
  'agency',
  'design',
  'film',
  'publisher',
  'events',
  'travel',
  'solar',
  'recycling',
  'storage',
  'mining',
] as const;

/** One narrow trade. */
export type Trade = (typeof TRADES)[number];

/** What a trade's companies are, make and say (English). Lists are noun phrases in the plural. */
export interface TradeFacts {
  trade: Trade;
  sector: Sector;
  industry: string;
  category: string;
  /** the field in two or three words, lower case: `payment software` */
  does: string;
  /** the verb in its three forms: `make`, `makes`, `making` */
  verb: readonly [plain: string, third: string, ing: string];
  makes: readonly string[];
  buyers: readonly string[];
  special: readonly string[];
  /** opening sentences that do not name the company */
  hooks: readonly string[];
  /** sentences that tell one detail each */
  lines: readonly string[];
  /** last words of company names */
  tails: readonly string[];
  /** how often such a company is backed by investors, per mille */
  venture: number;
  b2b: 0 | 1;
  /** −1 mostly small, 0 as usual, 1 often large */
  bulk: -1 | 0 | 1;
  /** earliest plausible founding year */
  since: number;
  /** how often such a company is drawn where the name leaves it open */
  weight: number;
}

/** Languages that descriptions are written in. */
export const LANGUAGES = [
  'en',
  'de',
  'fr',
  'es',
  'pt',
  'it',
  'nl',
  'pl',
  'tr',
  'uk',
  'ja',
  'zh',
  'ko',
  'ar',
  'hi',
] as const;

/** One language of descriptions. */
export type Language = (typeof LANGUAGES)[number];

/**
 * Sentences of one language other than English. Slots: `{name}`, `{does}`, `{city}`, `{in}` (a phrase
 * for "in that city"), `{year}`; `[one|other]` is a choice.
 */
export interface Prose {
  language: Exclude<Language, 'en'>;
  /** what stands between two sentences */
  gap: string;
  openers: readonly string[];
  /** sentences that need the founding year */
  born: readonly string[];
  general: readonly string[];
  sectors: Readonly<Record<Sector, readonly string[]>>;
  closers: readonly string[];
  /** short posts; no founding year here */
  posts: readonly string[];
  /** titles of websites */
  titles: readonly string[];
  /** the field of each trade, in the form that the sentences ask for */
  does: Readonly<Record<Trade, string>>;
}

/**
 * Splits a list that is written as one text.
 *
 * @param text items parted by `; `
 * @returns the items
 */
export function list(text: string): readonly string[] {
  return text.split('; ');
}
