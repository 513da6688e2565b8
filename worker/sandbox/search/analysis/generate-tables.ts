// Prints tables.ts: the character classes and the automaton by which the standard analyzer splits texts.
//
// The rules are those of the standard analyzer of Lucene 8 and 9: word boundaries of Unicode Standard Annex 29 in
// Unicode 9, emoji of Unicode Technical Standard 51 in version 11, a run of a South-East Asian script as one token, each
// Han and Hiragana character as one. Later Unicode versions classify characters differently: don't update them.
//
// Run: npm install --no-save @unicode/unicode-9.0.0@2.0.7 @unicode/unicode-11.0.0@2.0.7
//      node worker/sandbox/search/analysis/generate-tables.ts > worker/sandbox/search/analysis/tables.ts
import * as z from 'zod';
import {
  character,
  choice,
  compile,
  createInterner,
  oneOrMore,
  optional,
  type Pattern,
  sequence,
  zeroOrMore,
} from './automaton.ts';

const CODE_POINTS = 0x110000;
const LINE = 100;
const FIRST_CLASS = '@'.charCodeAt(0);
const FIRST_STATE = '0'.charCodeAt(0);

type Characters = ReadonlySet<number>;

const property = z.object({ default: z.array(z.object({ begin: z.number(), end: z.number() })) });

/** Loads the characters that have any of the properties, each named `<version>/<property>/<value>`. */
async function loadCharacters(...names: readonly string[]): Promise<Characters> {
  const characters = new Set<number>();
  for (const name of names) {
    const loaded: unknown = await import(`@unicode/unicode-${name}/ranges.mjs`);
    for (const { begin, end } of property.parse(loaded).default) {
      for (let code = begin; code < end; code += 1) characters.add(code);
    }
  }
  return characters;
}

const loadWordBreak = (...values: readonly string[]) =>
  loadCharacters(...values.map((value) => `9.0.0/Word_Break/${value}`));
const loadEmoji = (value: string) => loadCharacters(`11.0.0/Binary_Property/${value}`);
const createRange = (from: number, to: number): Characters =>
  new Set(Array.from({ length: to - from + 1 }, (_, at) => from + at));
const union = (...sets: readonly Characters[]): Characters => new Set(sets.flatMap((set) => [...set]));
const subtract = (set: Characters, ...others: readonly Characters[]): Characters =>
  new Set([...set].filter((code) => !others.some((other) => other.has(code))));

const extend = await loadWordBreak('Extend', 'Format', 'ZWJ');
const regional = await loadWordBreak('Regional_Indicator');
const modifier = await loadEmoji('Emoji_Modifier');
const keycapBase = union(createRange(0x30, 0x39), new Set([0x23, 0x2a]));

/** The character sets of the rules. Full-width digits count as numbers, though Unicode 9 doesn't classify them so. */
const sets: Readonly<Record<string, Characters>> = {
  letter: await loadWordBreak('ALetter', 'Hebrew_Letter'),
  hebrew: await loadWordBreak('Hebrew_Letter'),
  number: union(await loadWordBreak('Numeric'), createRange(0xff10, 0xff19)),
  katakana: await loadWordBreak('Katakana'),
  betweenLetters: await loadWordBreak('MidLetter', 'MidNumLet', 'Single_Quote'),
  betweenNumbers: await loadWordBreak('MidNum', 'MidNumLet', 'Single_Quote'),
  connector: await loadWordBreak('ExtendNumLet'),
  singleQuote: await loadWordBreak('Single_Quote'),
  doubleQuote: await loadWordBreak('Double_Quote'),
  han: await loadCharacters('9.0.0/Script/Han'),
  hiragana: await loadCharacters('9.0.0/Script/Hiragana'),
  southEastAsian: await loadCharacters('9.0.0/Line_Break/Complex_Context'),
  extend,
  plainExtend: subtract(extend, createRange(0xfe0e, 0xfe0f)),
  joiner: await loadWordBreak('ZWJ'),
  picture: union(
    await loadEmoji('Extended_Pictographic'),
    subtract(await loadEmoji('Emoji'), regional, keycapBase, modifier),
  ),
  modifier,
  modifierBase: await loadEmoji('Emoji_Modifier_Base'),
  pictureSelector: createRange(0xfe0f, 0xfe0f),
  tag: createRange(0xe0020, 0xe007e),
  tagEnd: createRange(0xe007f, 0xe007f),
  keycapBase,
  keycap: createRange(0x20e3, 0x20e3),
  regional,
};

/** Matches a character and its following marks and format characters (rule WB4). */
const withMarks = (set: string): Pattern => sequence(character(set), zeroOrMore(character('extend')));
/** Matches the same inside an emoji, where variation selectors are not marks. */
const withPlainMarks = (set: string): Pattern =>
  sequence(character(set), zeroOrMore(character('plainExtend')));
/** Matches `item`s with any number of connectors or one `separator` between them. */
const withConnectors = (item: string, separator?: string): Pattern => {
  const connectors = zeroOrMore(withMarks('connector'));
  const gap = separator === undefined ? connectors : choice(connectors, withMarks(separator));
  return sequence(withMarks(item), zeroOrMore(sequence(gap, withMarks(item))));
};

const wordPart = choice(
  withConnectors('katakana'),
  oneOrMore(
    choice(
      sequence(
        withMarks('hebrew'),
        choice(withMarks('singleQuote'), sequence(withMarks('doubleQuote'), withMarks('hebrew'))),
      ),
      withConnectors('number', 'betweenNumbers'),
      withConnectors('letter', 'betweenLetters'),
    ),
  ),
);
const word = sequence(
  zeroOrMore(withMarks('connector')),
  wordPart,
  zeroOrMore(sequence(oneOrMore(withMarks('connector')), wordPart)),
  zeroOrMore(withMarks('connector')),
);

const picture = choice(
  sequence(
    zeroOrMore(character('joiner')),
    withPlainMarks('picture'),
    optional(character('pictureSelector')),
  ),
  sequence(
    optional(sequence(zeroOrMore(character('joiner')), withPlainMarks('modifierBase'))),
    withPlainMarks('modifier'),
  ),
);
const emojiSequence = choice(
  sequence(
    picture,
    choice(
      zeroOrMore(sequence(character('joiner'), picture)),
      sequence(oneOrMore(character('tag')), character('tagEnd')),
    ),
  ),
  sequence(withPlainMarks('keycapBase'), optional(character('pictureSelector')), withPlainMarks('keycap')),
  sequence(withMarks('regional'), withMarks('regional')),
);

const token = choice(
  word,
  oneOrMore(withMarks('southEastAsian')),
  withMarks('han'),
  withMarks('hiragana'),
  emojiSequence,
);

const listSetNames = (code: number): string =>
  Object.entries(sets)
    .flatMap(([name, set]) => (set.has(code) ? [name] : []))
    .join();
const codes = [...Array(CODE_POINTS).keys()];

// Characters in the same sets are of one kind. NUL, the first, is in none.
const kinds = createInterner<string>([], String);
const kindByCode = codes.map((code) => kinds.intern(listSetNames(code)));
const automaton = compile(
  token,
  kinds.values.map((names) => new Set(names.split(','))),
);

// Kinds with equal transitions form one class.
const columns = createInterner<string>([], String);
const classByKind = kinds.values.map((_, kind) =>
  columns.intern(automaton.next.map((row) => row[kind]).join()),
);
const getClass = (code: number): number => classByKind[kindByCode[code] ?? 0] ?? 0;

// Accepting states get the highest numbers; the dead state and the start keep 0 and 1.
const states = automaton.accepts.map((_, state) => state);
const order = [
  ...states.filter((state) => !automaton.accepts[state]),
  ...states.filter((state) => automaton.accepts[state]),
];
const rows = order.map((state) =>
  columns.values
    .map((_, column) => automaton.next[state]?.[classByKind.indexOf(column)] ?? 0)
    .map((next) => String.fromCharCode(FIRST_STATE + order.indexOf(next)))
    .join(''),
);

let runs = '';
for (let from = 0, to = 0; from < CODE_POINTS; from = to) {
  while (to < CODE_POINTS && getClass(to) === getClass(from)) to += 1;
  runs +=
    String.fromCharCode(FIRST_CLASS + getClass(from)) + (to - from === 1 ? '' : (to - from).toString(36));
}

const quoteLine = (text: string) => `  '${text}'`;
console.log(`// Generated by generate-tables.ts: the character classes and the automaton of the standard analyzer.

/** Number of character classes; characters of class 0 are in no token. */
export const CLASS_COUNT = ${columns.values.length};

/** Run-length encoded classes of U+0000 to U+10FFFF: the class, from \`@\` (0), and the run length in base 36 if above 1. */
export const CLASS_RUNS =
${(runs.match(new RegExp(`.{1,${LINE}}`, 'g')) ?? []).map(quoteLine).join(' +\n')};

/** For each state the next state by class, from \`0\`. State 0 is dead, state 1 the start. */
export const TRANSITIONS = [
${rows.map((row) => `${quoteLine(row)},`).join('\n')}
];

/** The states from this one on accept. */
export const FIRST_ACCEPTING = ${automaton.accepts.filter((accepts) => !accepts).length};`);
