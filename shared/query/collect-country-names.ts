// Collects the names of countries in other languages from CLDR: at build time for the Worker, whose ICU lacks languages, and
// when they are first needed in browsers, which have all of CLDR.
import { foldDigraphs, foldToKey } from '../lib/fold-text.ts';
import { once } from '../lib/once.ts';
import { countries } from './countries.ts';

/** Languages of the largest economies and of all Europe. */
const LANGUAGES =
  'en ar az bg bn ca cs da de el es et fa fi fr he hi hr hu id is it ja ka kk ko lt lv mk ms nb nl pl pt pt-PT ro ru sk sl sq sr sr-Latn sv ta th tr uk ur vi zh zh-Hant'.split(
    ' ',
  );

/** Common names that CLDR does not have. */
const OTHER_NAMES = `AEالإمارات
CNMainland China
CZCzech Rep|Česká republika|Tschechische Republik|République tchèque|República Checa|Repubblica Ceca|Republika Czeska
EEEesti Vabariik
FISuomi
GBNorthern Ireland|Großbritannien|Grande-Bretagne|Gran Bretaña|Gran Bretagna|Grã-Bretanha|Angleterre|Inglaterra|Inghilterra|Anglia|Англия|Великобритания
IEÉire
KGKyrgyz Republic
KPDPRK
KRKorea Republic|한국|韩国|Южная Корея
NLHollande|Holanda|Olanda|Голландия
RURossiya|Rossija|РФ
SAالسعودية
SKSlovak Republic
THประเทศไทย
USEEUU|EE UU|Etats-Unis d’Amérique|Estados Unidos de América|США|أمريكا|アメリカ|米国`;

/** Names that `countries.ts` has, and names of two countries, are left out. */
function collectCountryNames(): string {
  const owners = new Map<string, string>();
  for (const { iso2, names, aliases } of countries) {
    for (const name of [...names, ...aliases]) owners.set(foldToKey(name), iso2);
  }
  const lines = new Map(countries.map(({ iso2 }): [string, string[]] => [iso2, []]));
  const add = (iso2: string, name: string): void => {
    for (const key of [foldToKey(name), foldToKey(foldDigraphs(name))]) {
      if (key === '' || owners.has(key)) continue;
      owners.set(key, iso2);
      lines.get(iso2)?.push(key);
    }
  };
  for (const language of LANGUAGES) {
    for (const style of ['long', 'short'] as const) {
      const regions = new Intl.DisplayNames([language], { type: 'region', style, fallback: 'none' });
      for (const { iso2 } of countries) add(iso2, regions.of(iso2) ?? '');
    }
  }
  for (const line of OTHER_NAMES.split('\n')) {
    for (const name of line.slice(2).split('|')) add(line.slice(0, 2), name);
  }
  return [...lines].flatMap(([iso2, line]) => (line.length > 0 ? iso2 + line.join('|') : [])).join('\n');
}

/** Returns the names. Format of a line: the ISO code, then folded names separated by `|`. */
export const getCountryNames = once(collectCountryNames);
