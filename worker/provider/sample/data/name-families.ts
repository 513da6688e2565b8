// Families of company names: which parts they are made of, where such companies sit, how often they occur.
import type { Weighted } from '../random.ts';
import { type Word, wordOf } from '../text.ts';
import { type Language, list, TRADES, type Trade } from '../vocabulary.ts';
import * as english from './names-english.ts';
import type { TailTable } from './names-european.ts';
import * as european from './names-european.ts';
import * as scripts from './names-scripts.ts';
import { ENGLISH_TAILS } from './trades.ts';

/** A word that tells the trade, and the trades that it tells; no trades means any. */
export interface Tail {
  word: Word;
  trades: readonly Trade[];
}

/** One way of making names. */
export interface NameFamily {
  key: string;
  /** companies per thousand */
  weight: number;
  language: Language;
  /** written in Latin letters */
  latin: boolean;
  /** lists whose words are put together, one from each */
  parts: readonly (readonly Word[])[];
  textGlue: string;
  slugGlue: string;
  tails: readonly Tail[];
  /** the trade's word stands first */
  tailFirst: boolean;
  /** between name and trade's word, as shown */
  tailGlue: string;
  /** the same, in addresses */
  tailSlugGlue: '-' | '';
  /** keys of countries; empty = anywhere */
  countries: Weighted<string>;
  /** how often a legal form is shown, per mille */
  formal: number;
  /** legal forms before and behind the name; empty = those of the country */
  forms: readonly (readonly [before: string, behind: string])[];
  /** mostly young companies */
  startup: boolean;
  /** how often a compound is written as two words, per mille */
  split: number;
}

const KNOWN: ReadonlySet<string> = new Set(TRADES);

function isTrade(text: string): text is Trade {
  return KNOWN.has(text);
}

/** Reads a table of tails; throws `RangeError` for a trade that does not exist. */
function tailsOf(table: TailTable): Tail[] {
  return table.map(([tail, trades]) => ({
    word: wordOf(tail),
    trades: list(trades)
      .filter((trade) => trade !== '')
      .map((trade) => {
        if (!isTrade(trade)) throw new RangeError(`the name part ${tail} fits no trade called ${trade}`);
        return trade;
      }),
  }));
}

const ENGLISH: readonly Tail[] = [...ENGLISH_TAILS].map(([tail, trades]) => ({ word: wordOf(tail), trades }));
const NO_TAIL: readonly Tail[] = [{ word: { text: '', slug: '' }, trades: [] }];

const ANGLO: Weighted<string> = [
  ['US', 52],
  ['GB', 20],
  ['CA', 7],
  ['AU', 7],
  ['IE', 3],
  ['NZ', 2],
  ['ZA', 2],
  ['SG', 2],
  ['IN', 2],
  ['NG', 2],
  ['KE', 1],
];

const DEFAULTS = {
  language: 'en',
  latin: true,
  textGlue: '',
  slugGlue: '',
  tails: ENGLISH,
  tailFirst: false,
  tailGlue: ' ',
  tailSlugGlue: '-',
  countries: ANGLO,
  formal: 180,
  forms: [],
  startup: false,
  split: 0,
} satisfies Partial<NameFamily>;

type Given = Partial<Omit<NameFamily, 'parts'>> & {
  key: string;
  weight: number;
  parts: readonly (readonly string[])[];
};

function family(given: Given): NameFamily {
  return { ...DEFAULTS, ...given, parts: given.parts.map((part) => part.map(wordOf)) };
}

/** All families; their weights add up to 1,000. */
export const FAMILIES: readonly NameFamily[] = [
  family({
    key: 'compound',
    weight: 108,
    parts: [english.COMPOUND_FIRST, english.COMPOUND_SECOND],
    split: 250,
  }),
  family({ key: 'rare', weight: 75, parts: [english.RARE_WORDS] }),
  family({
    key: 'town',
    weight: 42,
    parts: [english.TOWN_FIRST, english.TOWN_SECOND],
    tails: tailsOf(english.TOWN_TAILS),
    formal: 60,
  }),
  family({ key: 'surname', weight: 40, parts: [english.SURNAMES], formal: 240 }),
  family({
    key: 'partners',
    weight: 40,
    parts: [english.SURNAMES, english.PARTNER_NAMES],
    textGlue: ' & ',
    slugGlue: '-',
    tails: [
      ...NO_TAIL.map((tail) => ({ ...tail, trades: partnership() })),
      ...tailsOf(english.PARTNERSHIP_TAILS),
    ],
    formal: 60,
  }),
  family({
    key: 'phrase',
    weight: 42,
    parts: [english.PHRASE_FIRST, english.PHRASE_SECOND],
    textGlue: ' ',
    slugGlue: '-',
    tails: tailsOf(english.PHRASE_TAILS),
    formal: 40,
  }),
  family({
    key: 'coined',
    weight: 100,
    parts: [english.COINED_FIRST, english.COINED_MIDDLE, english.COINED_LAST],
    tails: NO_TAIL,
    countries: [],
    formal: 120,
    startup: true,
  }),
  family({
    key: 'learned',
    weight: 52,
    parts: [english.LEARNED_FIRST, english.LEARNED_SECOND],
    tails: tailsOf(english.NEUTRAL_TAILS),
    countries: [],
    startup: true,
  }),
  family({
    key: 'letters',
    weight: 22,
    parts: [english.LETTERS_FIRST, english.LETTERS_SECOND, english.LETTERS_THIRD],
    formal: 300,
  }),
  family({
    key: 'product',
    weight: 22,
    parts: [english.PRODUCT_SECOND],
    tails: tailsOf(english.PRODUCT_FIRST),
    tailFirst: true,
    tailGlue: '',
    tailSlugGlue: '',
    countries: [],
    formal: 60,
    startup: true,
  }),
  family({
    key: 'indian',
    weight: 38,
    parts: [european.INDIAN_NAMES],
    tails: tailsOf(european.INDIAN_TAILS),
    countries: [['IN', 1]],
    formal: 480,
  }),
  family({
    key: 'german',
    weight: 40,
    language: 'de',
    parts: [european.GERMAN_SURNAMES],
    tails: tailsOf(european.GERMAN_TAILS),
    countries: [
      ['DE', 78],
      ['AT', 13],
      ['CH', 9],
    ],
    formal: 480,
  }),
  family({
    key: 'german-places',
    weight: 14,
    language: 'de',
    parts: [european.GERMAN_FIRST],
    tails: tailsOf(european.GERMAN_TAILS),
    countries: [
      ['DE', 84],
      ['AT', 10],
      ['CH', 6],
    ],
    formal: 380,
  }),
  family({
    key: 'french',
    weight: 46,
    language: 'fr',
    parts: [european.FRENCH_NAMES],
    tails: tailsOf(european.FRENCH_HEADS),
    tailFirst: true,
    countries: [
      ['FR', 81],
      ['BE-FR', 7],
      ['CH-FR', 5],
      ['CA-FR', 7],
    ],
    formal: 140,
  }),
  family({
    key: 'spanish',
    weight: 50,
    language: 'es',
    parts: [european.SPANISH_NAMES],
    tails: tailsOf(european.SPANISH_HEADS),
    tailFirst: true,
    countries: [
      ['ES', 45],
      ['MX', 22],
      ['AR', 10],
      ['CO', 10],
      ['CL', 8],
      ['PE', 5],
    ],
    formal: 240,
  }),
  family({
    key: 'portuguese',
    weight: 40,
    language: 'pt',
    parts: [european.PORTUGUESE_NAMES],
    tails: tailsOf(european.PORTUGUESE_TAILS),
    countries: [
      ['BR', 76],
      ['PT', 24],
    ],
    formal: 220,
  }),
  family({
    key: 'italian',
    weight: 28,
    language: 'it',
    parts: [european.ITALIAN_NAMES],
    tails: tailsOf(european.ITALIAN_HEADS),
    tailFirst: true,
    countries: [['IT', 1]],
    formal: 380,
  }),
  family({
    key: 'dutch',
    weight: 18,
    language: 'nl',
    parts: [european.DUTCH_NAMES],
    tails: tailsOf(european.DUTCH_TAILS),
    countries: [
      ['NL', 80],
      ['BE', 20],
    ],
    formal: 260,
  }),
  family({
    key: 'polish',
    weight: 18,
    language: 'pl',
    parts: [european.POLISH_NAMES],
    tails: tailsOf(european.POLISH_TAILS),
    countries: [['PL', 1]],
    formal: 450,
  }),
  family({
    key: 'turkish',
    weight: 18,
    language: 'tr',
    parts: [european.TURKISH_NAMES],
    tails: tailsOf(european.TURKISH_TAILS),
    countries: [['TR', 1]],
    formal: 420,
  }),
  family({
    key: 'nordic',
    weight: 20,
    parts: [european.NORDIC_NAMES],
    tails: tailsOf(european.NORDIC_TAILS),
    countries: [
      ['SE', 40],
      ['NO', 22],
      ['DK', 20],
      ['FI', 18],
    ],
    formal: 420,
  }),
  family({
    key: 'japanese',
    weight: 28,
    language: 'ja',
    latin: false,
    parts: [scripts.JAPANESE_FIRST, scripts.JAPANESE_SECOND],
    tails: tailsOf(scripts.JAPANESE_TAILS),
    tailGlue: '',
    countries: [['JP', 1]],
    formal: 700,
    forms: [
      ['株式会社', ''],
      ['', '株式会社'],
      ['有限会社', ''],
      ['合同会社', ''],
    ],
  }),
  family({
    key: 'chinese',
    weight: 20,
    language: 'zh',
    latin: false,
    parts: [scripts.CHINESE_FIRST, scripts.CHINESE_SECOND],
    tails: tailsOf(scripts.CHINESE_TAILS),
    tailGlue: '',
    countries: [
      ['CN', 80],
      ['TW', 20],
    ],
    formal: 600,
    forms: [
      ['', '有限公司'],
      ['', '股份有限公司'],
      ['', '（集团）有限公司'],
    ],
  }),
  family({
    key: 'korean',
    weight: 16,
    language: 'ko',
    latin: false,
    parts: [scripts.KOREAN_FIRST, scripts.KOREAN_SECOND],
    tails: tailsOf(scripts.KOREAN_TAILS),
    tailGlue: '',
    countries: [['KR', 1]],
    formal: 450,
    forms: [
      ['(주)', ''],
      ['주식회사 ', ''],
      ['', '㈜'],
    ],
  }),
  family({
    key: 'arabic',
    weight: 24,
    language: 'ar',
    latin: false,
    parts: [scripts.ARABIC_FIRST, scripts.ARABIC_SECOND],
    textGlue: ' ',
    tails: tailsOf(scripts.ARABIC_TAILS),
    countries: [
      ['AE', 30],
      ['SA', 28],
      ['EG', 22],
      ['JO', 10],
      ['MA', 10],
    ],
    formal: 500,
    forms: [
      ['شركة ', ''],
      ['مجموعة ', ''],
      ['مؤسسة ', ''],
    ],
  }),
  family({
    key: 'hindi',
    weight: 12,
    language: 'hi',
    latin: false,
    parts: [scripts.HINDI_NAMES],
    tails: tailsOf(scripts.HINDI_TAILS),
    countries: [['IN', 1]],
    formal: 350,
    forms: [
      ['', ' प्राइवेट लिमिटेड'],
      ['', ' प्रा. लि.'],
    ],
  }),
  family({
    key: 'ukrainian',
    weight: 12,
    language: 'uk',
    latin: false,
    parts: [scripts.UKRAINIAN_NAMES],
    tails: tailsOf(scripts.UKRAINIAN_TAILS),
    countries: [['UA', 1]],
    formal: 400,
    forms: [
      ['ТОВ «', '»'],
      ['ПП «', '»'],
    ],
  }),
  family({
    key: 'greek',
    weight: 6,
    latin: false,
    parts: [scripts.GREEK_NAMES],
    tails: tailsOf(scripts.GREEK_TAILS),
    countries: [['GR', 1]],
    formal: 400,
    forms: [
      ['', ' Α.Ε.'],
      ['', ' Ι.Κ.Ε.'],
    ],
  }),
  family({
    key: 'hebrew',
    weight: 5,
    latin: false,
    parts: [scripts.HEBREW_NAMES],
    tails: tailsOf(scripts.HEBREW_TAILS),
    countries: [['IL', 1]],
    formal: 500,
    forms: [['', ' בע״מ']],
  }),
  family({
    key: 'thai',
    weight: 4,
    latin: false,
    parts: [scripts.THAI_NAMES],
    tails: tailsOf(scripts.THAI_TAILS),
    tailGlue: '',
    countries: [['TH', 1]],
    formal: 600,
    forms: [
      ['บริษัท ', ' จำกัด'],
      ['บจก. ', ''],
    ],
  }),
];

/** Trades of partnerships that carry only two names. */
function partnership(): Trade[] {
  return ['law', 'accounting', 'architects', 'wealth', 'consulting', 'property', 'insurance'];
}
