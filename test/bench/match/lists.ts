// Fictional company names of several languages, and how lists of sellers write them.
import { pick, type Random, replaceLetter } from './names.ts';

/** A list of names in one language. */
export interface NameList {
  /** As records have it. */
  country: string;
  /** First parts of names, and second parts. Each pair is a company. */
  parts: readonly [first: string, second: string];
  separator: string;
  /** Forms of the country; `*` stands for the name. */
  forms: string;
  /** Rewrites a name as people type it. */
  rewrite: (name: string, random: Random) => string;
  /** Makes the name of another company. */
  distinguish: (name: string, random: Random) => string;
}

const removeAccents = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ıłøđßæİ]/g, (letter) => ({ ı: 'i', ł: 'l', ø: 'o', đ: 'd', ß: 'ss', æ: 'ae' })[letter] ?? 'I');

const toDigraphs = (text: string): string =>
  text.replace(/[äöüß]/g, (letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' })[letter] ?? letter);

/** Doubles a letter of the longest word. */
function doubleLetter(name: string, random: Random): string {
  const words = name.split(' ');
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '');
  const at = 2 + Math.floor(random() * (longest.length - 3));
  if (longest[at] === 'ß') return name;
  const typed = longest.slice(0, at) + longest[at] + longest.slice(at);
  return words.map((word) => (word === longest ? typed : word)).join(' ');
}

/** Adds a number that one of two names has: `Name 2` is another company than `Name 3`. */
const addNumber = (name: string, random: Random): string => `${name} ${2 + Math.floor(random() * 8)}`;

/** Voices or unvoices a kana: バ and ハ. */
function changeVoice(name: string): string {
  const changed = name
    .normalize('NFD')
    .replace(/[\u3099\u309a]/u, '')
    .normalize('NFC');
  return changed === name
    ? name.replace(/[カキクケコサシスセソタチツテトハヒフヘホ]/u, '$&\u3099').normalize('NFC')
    : changed;
}

const choose =
  (...rewrites: readonly NameList['rewrite'][]): NameList['rewrite'] =>
  (name, random) =>
    (pick(rewrites, random) ?? ((same: string) => same))(name, random);

const same = (name: string): string => name;
const toUpper = (locale: string) => (name: string) => name.toLocaleUpperCase(locale);

export const lists = {
  accents: {
    country: '',
    parts: [
      'České|Příbramské|Łódź|Świętokrzyskie|Gödöllői|Székely|Žemaitijos|Šiaulių|Øresund|Växjö|Côte|Béarn|São Tomé|Coração|Peñas|Málaga|Brașov|Țară|Đurđevac|Çelebi|Işık|Gökçe|Åkerlund|Ærø',
      'Dráhy|Strojírny|Młyny|Żegluga|Kőszén|Műszer|Krūva|Šviesa|Mejerí|Sjöfart|Café|Crème|Ação|Órgãos|Ñandú|Río|Fântâna|Grădină|Šećer|Çınar|Güneş|Smørrebrød',
    ],
    separator: ' ',
    forms: '*',
    rewrite: choose(
      removeAccents,
      (name) => removeAccents(name).toUpperCase(),
      (name) => removeAccents(name).toLowerCase(),
    ),
    distinguish: choose(addNumber, replaceLetter),
  },
  german: {
    country: 'Germany',
    parts: [
      'Lindenfeld|Müllerhof|Großbeck|Öhlmann|Käferstein|Brückner|Schönau|Wölfing|Nordhäuser|Weißbach|Jägermann|Thüringer|Dießner|Hochmoor',
      'Maschinenbau|Bäckerei|Gebäudetechnik|Möbelwerke|Präzisionswerkzeuge|Getränke|Straßenbau|Spedition|Elektrotechnik|Kühltechnik|Büromöbel',
    ],
    separator: ' ',
    forms:
      '* GmbH|* GmbH & Co. KG|* GmbH u. Co. KG|* GmbH und Co. KG|* G. m. b. H.|* AG|* KG|* e.K.|* UG (haftungsbeschränkt)|* Gesellschaft mit beschränkter Haftung|* Deutschland GmbH|* GmbH - Berlin|* | Karriere|*',
    rewrite: choose(same, toDigraphs, removeAccents, toUpper('de'), doubleLetter),
    distinguish: choose(addNumber, replaceLetter),
  },
  japanese: {
    country: 'Japan',
    parts: [
      'メルカドール|ハルミナ|サクラノ|タカミヤマ|バンクロフト|ドリームテック|パノラマ|ゲンキア|ソラトビ|フジノモリ|カワベリ|ビオラーレ',
      'フーズ|システムズ|製作所|商事|電機|物流|デザイン|工業|化学|建設',
    ],
    separator: '',
    forms: '株式会社*|*株式会社|（株）*|*（株）|㈱*|株式会社 *|有限会社*|合同会社*|*',
    rewrite: choose(same, (name) => ` ${name} `),
    distinguish: choose(addNumber, changeVoice, changeVoice),
  },
  cyrillic: {
    country: 'Russia',
    parts: [
      'Ромашка|Северный Лес|Волгаторг|Ёлочка|Берёзовый Дом|Зелёный Мир|Алмазинвест|Сибирские|Невский|Уральский|Чайковский',
      'Трейд|Логистика|Строительство|Технологии|Медиа|Продукты|Мебель|Транспорт|Энергия|Лаборатория',
    ],
    separator: ' ',
    forms:
      'ООО «*»|ООО *|ООО "*"|АО «*»|ПАО *|ЗАО «*»|* ООО|«*», ООО|Общество с ограниченной ответственностью «*»|*',
    rewrite: choose(
      same,
      (name) => name.replaceAll('ё', 'е').replaceAll('Ё', 'Е'),
      toUpper('ru'),
      doubleLetter,
    ),
    distinguish: choose(addNumber, (name) => `${name} Плюс`),
  },
  turkish: {
    country: 'Turkey',
    parts: [
      'Işık|Güneş|Çınar|Yıldız|Şahin|Öztürk|Gökçe|Ilgaz|İnci|Kılıç|Doğuş|Ağaoğlu',
      'Tekstil|Gıda|İnşaat|Lojistik|Otomotiv|Mühendislik|Turizm|Danışmanlık|Yazılım|Ambalaj',
    ],
    separator: ' ',
    forms:
      '* A.Ş.|* Ltd. Şti.|* San. ve Tic. A.Ş.|* Sanayi ve Ticaret Ltd. Şti.|* Tic. Ltd. Şti.|* Anonim Şirketi|* Limited Şirketi|*',
    rewrite: choose(same, removeAccents, (name) => removeAccents(name).toUpperCase(), toUpper('tr')),
    distinguish: choose(addNumber, (name) => `${name} Kimya`),
  },
} as const satisfies Record<string, NameList>;
export type ListName = keyof typeof lists;

/** Lists the companies of a list. */
export function listNames({ parts, separator }: NameList): string[] {
  const [first = [], second = []] = parts.map((part) => part.split('|'));
  return first.flatMap((one) => second.map((other) => one + separator + other));
}

/** Writes a name as a seller's list has it. */
export function rewriteName({ forms, rewrite }: NameList, name: string, random: Random): string {
  return (pick(forms.split(/\|(?! )/), random) ?? '*').replace('*', rewrite(name, random));
}
