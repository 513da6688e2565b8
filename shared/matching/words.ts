// Words of company names that say little about the company, and abbreviations of such words.

/** Words that many companies share. */
const commonWords: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'agency ai analytics app apps associates bio business capital care cloud co com consulting data design digital energy engineering enterprises finance financial foods foundation global group health healthcare home hq india industries insurance international international io labs laboratories logistics management market marketing media medical mobile network networks online partners pay payments pharma platform power products robotics science sciences security services social software solar solutions space studio studios systems tech technologies technology therapeutics travel uk us usa ventures works world'.split(
    ' ',
  ),
);

/** Articles, prepositions and conjunctions. */
const fillerWords: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'the and of for by in at de la le les el los las du des der die das den do da dos das di della del von van y e'.split(
    ' ',
  ),
);

const conjunctions: ReadonlySet<string> = new Set(['and', 'und', 'et', 'og', 'och', 've', 'и']);

/** Format of a line: the word, then its abbreviations. */
const ABBREVIATIONS = `academy acad
advanced adv
agency agcy
agriculture agri agric
american amer am
analytics anlytcs
and n
associates assoc assocs
association assn assoc
automation autom
bank bk
biotechnology biotech
brothers bros
compagnie cie
fratelli flli
gebrüder gebr
gebruder gebr
hermanos hnos
irmãos irs
irmaos irs
société ste
societe ste
business bus
capital cap
center ctr centre
chemical chem
communications comm comms
computer comp
construction constr
consulting cons consult
department dept
design des
development dev devt
distribution distr dist
education edu educ
electric elec
electronics elec elex
energy enrg
engineering eng engg engr
enterprises ent entp
entertainment ent
environmental env
equipment equip
european eur
finance fin
financial fin
foundation fdn found
general gen
global glob gl
government govt
group grp gp
health hlth
healthcare hlthcare
hospital hosp
industries ind inds
information info
institute inst
insurance ins
international intl int int'l
investments inv invs
laboratories labs lab
logistics log logist
machines mach
management mgmt mgt
manufacturing mfg manuf
market mkt
marketing mktg mkt
materials matls
mechanical mech
media med
medical med
national natl nat
network net netw
networks net netw
organisation org
organization org
partners ptnrs prtnrs
payments pmts pymts paymts
pharmaceuticals pharma pharm
products prods prod
properties props
research rsch res
robotics robot
saint st
science sci
sciences sci
security sec
service svc serv
services svcs serv svc
software sw soft softw
solutions soln solns sols
studios stud
systems sys syst
technologies tech techs technol
technology tech technol
telecommunications telecom
therapeutics ther tx
transport trans transp
transportation trans transp
university univ uni
ventures vent
wholesale whsl`;

const wordsByAbbreviation: ReadonlyMap<string, readonly string[]> = /* @__PURE__ */ (() => {
  const words = new Map<string, string[]>();
  for (const line of ABBREVIATIONS.split('\n')) {
    const [word = '', ...abbreviations] = line.split(' ');
    for (const abbreviation of abbreviations) {
      words.set(abbreviation, [...(words.get(abbreviation) ?? []), word]);
    }
  }
  return words;
})();

const COMMON_WEIGHT = 0.45;
const FILLER_WEIGHT = 0.1;

/** Returns how much a word says about a company: 1 for a proper name, less for words that many companies share. */
export function getWeight(word: string): number {
  if (fillerWords.has(word)) return FILLER_WEIGHT;
  return commonWords.has(word) ? COMMON_WEIGHT : 1;
}

export const listAbbreviations = (word: string): readonly string[] =>
  [...wordsByAbbreviation].flatMap(([abbreviation, words]) => (words.includes(word) ? abbreviation : []));

/** Checks whether a word is an article or a conjunction. */
export function isFiller(word: string): boolean {
  return fillerWords.has(word);
}

export const isConjunction = (word: string): boolean => conjunctions.has(word);

export function expandAbbreviation(abbreviation: string): readonly string[] {
  return wordsByAbbreviation.get(abbreviation) ?? [];
}

/** From zero to twenty. */
const NUMBERS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty';
/** From zeroth to tenth. */
const ORDINALS = '0th first second third fourth fifth sixth seventh eighth ninth tenth';
/** From II to XXX. Single letters are rather initials. */
const ROMAN =
  'ii iii iv - vi vii viii ix - xi xii xiii xiv xv xvi xvii xviii xix xx xxi xxii xxiii xxiv xxv xxvi xxvii xxviii xxix xxx';

const numbersByWord: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ...NUMBERS.split(' ').map((word, value): [string, string] => [word, String(value)]),
  ...ORDINALS.split(' ').map((word, value): [string, string] => [word, String(value)]),
  ...ROMAN.split(' ').map((word, at): [string, string] => [word, String(at + 2)]),
]);

/** Returns the number that a word stands for: `seven`, `7`, `7th`, `first` and `VII` are numbers. */
export const toNumber = (word: string): string | undefined =>
  /^(\d+)(?:st|nd|rd|th)?$/.exec(word)?.[1] ?? numbersByWord.get(word);

/** Lists the other words that stand for the same number: \`7\` and \`vii\` for \`seven\`. */
export function listNumberWords(word: string): string[] {
  const number = toNumber(word);
  if (number === undefined) return [];
  return [number, ...[...numbersByWord].flatMap(([text, value]) => (value === number ? [text] : []))];
}
