// Cleans a typed company name: HTML entities, invisible characters, notes in brackets, and additions such as `| Careers`.

import { foldText } from '../lib/fold-text.ts';
import { findPlace } from './places.ts';
import { toNumber } from './words.ts';

/** Longer names are cut: no company has one, and callers choose the length. */
const MAX_LENGTH = 200;

/** Exports of exports have entities of entities. */
const MAX_ENTITY_LEVELS = 3;

const entities: Readonly<Record<string, string>> = {
  ...{
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    rsquo: '’',
    lsquo: '‘',
    ndash: '–',
    mdash: '—',
  },
  ...{
    szlig: 'ß',
    aelig: 'æ',
    oelig: 'œ',
    oslash: 'ø',
    eth: 'ð',
    thorn: 'þ',
    lstrok: 'ł',
    dstrok: 'đ',
    imath: 'ı',
  },
  ...{
    ldquo: '"',
    rdquo: '"',
    bdquo: '"',
    laquo: '"',
    raquo: '"',
    bull: '•',
    middot: '·',
    shy: '',
    reg: '',
    trade: '',
  },
};

/** Names of accents in entities such as `&uuml;`. */
const entityAccents: Readonly<Record<string, string>> = {
  ...{ acute: '\u0301', grave: '\u0300', circ: '\u0302', uml: '\u0308', tilde: '\u0303', cedil: '\u0327' },
  ...{
    ring: '\u030a',
    caron: '\u030c',
    breve: '\u0306',
    macr: '\u0304',
    ogon: '\u0328',
    dblac: '\u030b',
    dot: '\u0307',
  },
};
const ENTITY =
  /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+?)(acute|grave|circ|uml|tilde|cedil|ring|caron|breve|macr|ogon|dblac|dot)?);/gi;

const LAST_CODE_POINT = 0x10ffff;

function decodeEntity(entity: string, decimal?: string, hex?: string, name = '', accent?: string): string {
  if (decimal !== undefined || hex !== undefined) {
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code > 0 && code <= LAST_CODE_POINT ? String.fromCodePoint(code) : entity;
  }
  const mark = entityAccents[accent?.toLowerCase() ?? ''];
  if (mark !== undefined && name.length === 1) return name + mark;
  const character = entities[entity.slice(1, -1).toLowerCase()];
  if (character === undefined) return entity;
  return /^[A-Z]/.test(name) ? character.toUpperCase() : character;
}

function decodeEntities(text: string): string {
  let decoded = text;
  for (let level = 0; level < MAX_ENTITY_LEVELS && decoded.includes('&'); level += 1) {
    decoded = decoded.replace(ENTITY, decodeEntity);
  }
  return decoded;
}

/** Characters that are no part of a name: invisible ones, and signs of trademarks. */
const NOISE = /[\p{Cf}™®©℠℗]|[\ufe00-\ufe0f]/gu;

/** Compatibility forms of some apostrophes are accents. */
const APOSTROPHE = /[`´‘’ʻʼ＇]/g;

/** Thai and Lao have letters whose compatibility form is another spelling. */
const NOT_THAI = /[^\u0e00-\u0eff]+/gu;

const BRACKETS = /\(([^()]*)\)|\[([^[\]]*)\]/gu;

/** A separator before an addition. A hyphen without blanks is part of a name. */
const SEPARATOR = /^(.*\S)(?:\s*[|•¦]\s*|\s+[-–—·:~/]+\s+|,\s*|\s+(?=採用|公式|채용|招聘))(.*)$/su;

/** Introduces another name: a former one, or one that customers know. */
const OTHER_NAME =
  /^(.*?[\p{L}\p{N}].*?)[\s,;:([–—-]+(?:now )?(?:formerly(?: known as)?|previously(?: known as)?|also known as|doing business as|trading as|f\/?k\/?a|a\/?k\/?a|d\/?b\/?a|t\/a|vormals|ehemals|früher|anciennement|antes|anteriormente|ex-|tidligere|tidigare|voorheen|dawniej|бывш\.?)[\s.:]*(?=[\p{L}\p{N}])(.*?)[)\]\s]*$/isu;

/** Words of additions that name no company, such as \`| Careers\`. */
const additionWords: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'account careers career jobs job hiring we are now official page profile website homepage home company karriere stellenangebote jobs recruiting recruitment team hq headquarters head office linkedin empleo emploi carrières vagas lavora con noi re 採用 採用情報 公式 公式サイト 채용 招聘'.split(
    ' ',
  ),
);

/** A batch of an accelerator, as in \`(YC S21)\`. */
const BATCH = /^\s*yc [a-z]{1,2}\d\d\s*$/i;

const hasLetter = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

const isAddition = (text: string): boolean =>
  BATCH.test(text) ||
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .every((word) => word === '' || additionWords.has(word));

/** A name without what is written around it. */
export interface CleanName {
  /** The typed text without additions. Compatibility variants, such as full-width letters, are replaced. */
  text: string;
  /** Texts in brackets, and places behind separators. */
  notes: readonly string[];
  /** Former and other names. */
  otherNames: readonly string[];
  /** The text before the first separator, such as `Acme` of `Acme - Springfield`. */
  head: string;
}

/** Moves texts in brackets to the notes, except for numbers and texts without which nothing remains. */
function removeBrackets(text: string, notes: string[]): string {
  const found: string[] = [];
  const rest = text.replace(BRACKETS, (_, round?: string, square?: string) => {
    const content = (round ?? square ?? '').trim();
    if (content.split(/\s+/).every((word) => toNumber(foldText(word)) !== undefined)) return ` ${content} `;
    if (!isAddition(content)) found.push(content);
    return ' ';
  });
  if (!hasLetter(rest)) return text.replace(/[()[\]]/g, ' ');
  notes.push(...found);
  return rest;
}

/** Removes additions at the end. Places among them are notes. */
function removeAdditions(text: string, notes: string[]): string {
  const [, rest, last = ''] = SEPARATOR.exec(text.trimEnd()) ?? [];
  if (rest === undefined || !hasLetter(rest)) return text;
  const isPlace = findPlace(last) !== undefined;
  if (!isPlace && !isAddition(last)) return text;
  if (isPlace) notes.push(last);
  return removeAdditions(rest, notes);
}

/** Cleans a company name. */
export function cleanName(name: string): CleanName {
  const decoded = decodeEntities(name.slice(0, MAX_LENGTH))
    .replace(NOISE, '')
    .replace(APOSTROPHE, "'")
    .normalize('NFC')
    .replace(NOT_THAI, (part) => part.normalize('NFKC'));
  const [, main = decoded, other] = OTHER_NAME.exec(decoded) ?? [];
  const notes: string[] = [];
  const text = removeAdditions(removeBrackets(main, notes), notes).trim();
  const [head = ''] = text.split(/\s[-–—:|]+\s|\s*[|,]\s*/u, 1);
  return { text, notes, otherNames: other === undefined ? [] : [other], head };
}
