// Which names people carry in each country, and which languages they grow up with.
import type { Weighted } from '../../random.ts';
import type { Language } from '../../vocabulary.ts';
import { LATIN_NAMES, type NameTable } from './names-latin.ts';
import { SCRIPT_NAMES } from './names-scripts.ts';

/** All tables of names. */
export const NAME_TABLES: readonly NameTable[] = [...LATIN_NAMES, ...SCRIPT_NAMES];

const BY_KEY: ReadonlyMap<string, NameTable> = new Map(NAME_TABLES.map((table) => [table.key, table]));

/** Reads `english 60; spanish 12`; throws `RangeError` for a table that does not exist. */
function mix(text: string): Weighted<NameTable> {
  return text.split('; ').map((entry) => {
    const [key = '', weight = '1'] = entry.split(' ');
    const table = BY_KEY.get(key);
    if (table === undefined) throw new RangeError(`there is no table of ${key} names`);
    return [table, Number(weight)] as const;
  });
}

const GERMAN = mix('german 84; turkish 6; polish 4; italian 2; arabic 2; ukrainian 1; greek 1');
const FRENCH = mix('french 86; arabic 6; portuguese 3; spanish 2; italian 2; vietnamese 1');
const DUTCH = mix('dutch 88; turkish 4; arabic 4; indonesian 2; polish 2');
const SPANISH = mix('spanish 96; italian 3; arabic 1');

/** Names by key of the country; where there is no entry, English ones. */
export const NAMES_OF: ReadonlyMap<string, Weighted<NameTable>> = new Map([
  [
    'US',
    mix(
      'english 58; spanish 13; indian 7; chinese 5; german 3; italian 3; irish 2; westafrican 2; korean 2; vietnamese 1; arabic 1; polish 1; french 1; filipino 1',
    ),
  ],
  [
    'CA',
    mix(
      'english 62; indian 9; chinese 8; french 6; irish 3; filipino 3; ukrainian 2; southasian 3; arabic 2',
    ),
  ],
  ['CA-FR', mix('french 86; english 5; arabic 5; spanish 4')],
  ['GB', mix('english 74; indian 6; southasian 6; irish 4; polish 3; westafrican 4; italian 2; romanian 1')],
  ['IE', mix('irish 58; english 32; polish 5; portuguese 3; indian 2')],
  ['DE', GERMAN],
  ['AT', GERMAN],
  ['CH', mix('german 78; italian 8; french 6; portuguese 4; turkish 2; spanish 2')],
  ['CH-FR', mix('french 78; italian 7; portuguese 8; german 7')],
  ['FR', FRENCH],
  ['NL', DUTCH],
  ['BE', mix('dutch 86; french 8; arabic 4; turkish 2')],
  ['BE-FR', mix('french 82; dutch 8; italian 5; arabic 5')],
  ['ES', SPANISH],
  ['PT', mix('portuguese 98; spanish 2')],
  ['IT', mix('italian 95; romanian 3; arabic 2')],
  ['GR', mix('greek 1')],
  ['SE', mix('swedish 88; finnish 5; arabic 4; polish 3')],
  ['NO', mix('norwegian 92; swedish 4; polish 4')],
  ['DK', mix('danish 94; norwegian 3; turkish 3')],
  ['FI', mix('finnish 94; swedish 6')],
  ['EE', mix('estonian 1')],
  ['LT', mix('lithuanian 1')],
  ['PL', mix('polish 96; ukrainian 4')],
  ['CZ', mix('czech 97; ukrainian 3')],
  ['RO', mix('romanian 1')],
  ['UA', mix('ukrainian 1')],
  ['TR', mix('turkish 1')],
  ['IL', mix('hebrew 92; arabic 8')],
  ['AE', mix('arabic 46; indian 30; southasian 10; filipino 6; english 8')],
  ['SA', mix('arabic 84; southasian 8; indian 8')],
  ['JO', mix('arabic 1')],
  ['EG', mix('arabic 1')],
  ['MA', mix('arabic 94; french 6')],
  ['ZA', mix('southafrican 76; english 16; indian 8')],
  ['NG', mix('westafrican 1')],
  ['GH', mix('westafrican 1')],
  ['KE', mix('kenyan 93; indian 7')],
  ['IN', mix('indian 74; hindi 22; southasian 4')],
  ['PK', mix('southasian 1')],
  ['BD', mix('southasian 1')],
  ['JP', mix('japanese 98; korean 2')],
  ['KR', mix('korean 1')],
  ['CN', mix('chinese 1')],
  ['TW', mix('chinese 1')],
  ['SG', mix('singaporean 68; indian 14; chinese 10; english 8')],
  ['ID', mix('indonesian 94; chinese 6')],
  ['VN', mix('vietnamese 1')],
  ['TH', mix('thai 1')],
  ['PH', mix('filipino 1')],
  ['AU', mix('english 66; chinese 7; indian 7; irish 6; italian 5; greek 3; vietnamese 3; german 3')],
  ['NZ', mix('english 80; indian 6; chinese 5; dutch 4; irish 5')],
  ['BR', mix('portuguese 90; italian 6; japanese 2; german 2')],
  ['MX', SPANISH],
  ['AR', mix('spanish 84; italian 14; german 2')],
  ['CO', SPANISH],
  ['CL', mix('spanish 94; german 4; french 2')],
  ['PE', mix('spanish 95; japanese 3; italian 2')],
]);

/** The fallback of `NAMES_OF`. */
export const ENGLISH_NAMES: Weighted<NameTable> = mix('english 1');

/** What a table's names sound like: the language that their bearers mostly grew up with, where we know it. */
export const TONGUE_OF_NAMES: ReadonlyMap<string, Language> = new Map([
  ['german', 'de'],
  ['french', 'fr'],
  ['spanish', 'es'],
  ['portuguese', 'pt'],
  ['italian', 'it'],
  ['dutch', 'nl'],
  ['polish', 'pl'],
  ['turkish', 'tr'],
  ['ukrainian', 'uk'],
  ['arabic', 'ar'],
  ['chinese', 'zh'],
  ['japanese', 'ja'],
  ['korean', 'ko'],
  ['indian', 'hi'],
  ['hindi', 'hi'],
]);

/** Countries and how often, per mille, people there write their profile in the language of the country. */
export const LOCAL_PROFILES: ReadonlyMap<string, number> = new Map([
  ['de', 520],
  ['fr', 600],
  ['es', 640],
  ['pt', 640],
  ['it', 560],
  ['nl', 300],
  ['pl', 430],
  ['tr', 560],
  ['uk', 480],
  ['ja', 720],
  ['zh', 560],
  ['ko', 600],
  ['ar', 330],
  ['hi', 70],
]);

/** Countries, by key, that write their language otherwise than our voices do. */
export const WITHOUT_VOICE: ReadonlySet<string> = new Set(['TW']);

/** Mother tongues of a country for which there is no voice, by key of the country, parted by `; `. */
export const SPOKEN_IN: ReadonlyMap<string, string> = new Map([
  ['IE', 'Irish'],
  ['GR', 'Greek'],
  ['SE', 'Swedish'],
  ['NO', 'Norwegian'],
  ['DK', 'Danish'],
  ['FI', 'Finnish'],
  ['EE', 'Estonian'],
  ['LT', 'Lithuanian'],
  ['CZ', 'Czech'],
  ['RO', 'Romanian'],
  ['IL', 'Hebrew'],
  ['ZA', 'Zulu; Xhosa; Sotho; Afrikaans'],
  ['KE', 'Swahili; Kikuyu; Luo'],
  ['NG', 'Yoruba; Igbo; Hausa'],
  ['GH', 'Twi; Ga'],
  ['PK', 'Urdu'],
  ['BD', 'Bengali'],
  ['IN', 'Hindi; Tamil; Marathi; Bengali; Telugu; Gujarati; Kannada; Malayalam'],
  ['ID', 'Indonesian'],
  ['VN', 'Vietnamese'],
  ['TH', 'Thai'],
  ['PH', 'Tagalog'],
]);
