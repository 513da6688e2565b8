// Cleans a typed company name: HTML entities, invisible characters, notes in brackets, and additions such as `| Careers`.

import { foldText } from '../lib/fold-text.ts';
import { findPlace } from './places.ts';
import { toNumber } from './words.ts';

/** Longer names are cut: no company has one, and callers choose the length. */
const MAX_LENGTH = 200;

/** Exports of exports have entities of entities. */
const MAX_ENTITY_LEVELS = 3;

/** HTML entities: names, each followed by its character. */
const ENTITIES =
  'amp& lt< gt> quot" apos\' rsquo’ lsquo‘ ldquo" rdquo" bdquo" laquo" raquo" ndash– mdash— bull• middot· szligß aeligæ oeligœ oslashø ethð thornþ lstrokł dstrokđ imathı reg® trade™ shy\u00ad nbsp\u00a0';
const entities: ReadonlyMap<string, string> = /* @__PURE__ */ new Map(
  ENTITIES.split(' ').map((entity) => [entity.slice(0, -1), entity.slice(-1)]),
);

/** Accents in the names of entities such as `&uuml;`, each followed by its mark. */
const ACCENTS =
  'acute\u0301 grave\u0300 circ\u0302 uml\u0308 tilde\u0303 cedil\u0327 ring\u030a caron\u030c breve\u0306 macr\u0304 ogon\u0328 dblac\u030b dot\u0307';
const accents: ReadonlyMap<string, string> = /* @__PURE__ */ new Map(
  ACCENTS.split(' ').map((accent) => [accent.slice(0, -1), accent.slice(-1)]),
);

const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi;

const LAST_CODE_POINT = 0x10ffff;

function decodeEntity(entity: string, decimal?: string, hex?: string, name = ''): string {
  if (name === '') {
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code > 0 && code <= LAST_CODE_POINT ? String.fromCodePoint(code) : entity;
  }
  const accent = accents.get(name.slice(1));
  if (accent !== undefined) return name.charAt(0) + accent;
  const character = entities.get(name.toLowerCase());
  if (character === undefined) return entity;
  return name === name.toLowerCase() ? character : character.toUpperCase();
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

/**
 * Introduces another name: a former one, or one that customers know. `DBA` in capitals is rather an administrator of
 * databases.
 */
const OTHER_NAME =
  /(?<![\s,;:([–—-])[\s,;:([–—-]+(?:(?:[Nn]ow )?(?:[Ff]ormerly|[Pp]reviously|[Aa]lso)(?: known as)?|doing business as|[Tt]rading as|dba|d\/b\/a|D\/B\/A|fka|FKA|f\/k\/a|F\/K\/A|aka|AKA|a\/k\/a|A\/K\/A|t\/a|T\/A|vormals|ehemals|früher|anciennement|antes|anteriormente|tidligere|tidigare|voorheen|dawniej|бывш)(?![\p{L}\p{N}])[\s.:]*(?=[\p{L}\p{N}])/u;

/** Additions that name no company, such as `| Careers`, in small letters and without punctuation. */
const additions: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'careers|career|careers page|jobs|job|jobs careers|careers jobs|we are hiring|we re hiring|now hiring|hiring|official|official page|official site|official website|official account|company page|company profile|homepage|website|linkedin|linkedin page|recruiting|recruitment|headquarters|hq|head office|karriere|jobs karriere|karriere jobs|stellenangebote|emploi|carrières|recrutement|empleo|vagas|lavora con noi|採用|採用情報|公式|公式サイト|채용|招聘'.split(
    '|',
  ),
);

/** A batch of an accelerator, as in `(YC S21)`. */
const BATCH = /^\s*yc [a-z]{1,2}\d\d\s*$/i;

const hasLetter = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

function isAddition(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length === 0 || BATCH.test(text) || additions.has(words.join(' '));
}

/** A name without the text around it. */
export interface CleanName {
  /** The typed text without additions. Compatibility variants, such as full-width letters, are replaced. */
  text: string;
  /** Texts in brackets, and places behind separators. */
  notes: readonly string[];
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

export function cleanName(name: string): CleanName {
  const decoded = decodeEntities(name.slice(0, MAX_LENGTH))
    .replace(NOISE, '')
    .replace(APOSTROPHE, "'")
    .normalize('NFC')
    .replace(NOT_THAI, (part) => part.normalize('NFKC'))
    .slice(0, MAX_LENGTH);
  const marker = OTHER_NAME.exec(decoded);
  const hasOther = marker !== null && hasLetter(decoded.slice(0, marker.index));
  const main = hasOther ? decoded.slice(0, marker.index) : decoded;
  const notes: string[] = [];
  const text = removeAdditions(removeBrackets(main, notes), notes).trim();
  const [head = ''] = text.split(/\s[-–—:|]+\s|(?<!\s)\s*[|,]\s*/u, 1);
  const otherNames = hasOther ? [decoded.slice(marker.index + marker[0].length)] : [];
  return { text, notes, otherNames, head };
}
