// Prints tables.ts: the classes of characters and the automaton by which the standard analyzer finds words.
//
// The rules are those of the standard analyzer of Lucene 8 and 9: the words of Unicode Standard Annex 29 in Unicode 9,
// the emoji of Unicode Technical Standard 51 in version 11, a run of a South-East Asian script as one word, each Han
// and Hiragana character as one. The versions must stay: later ones class characters differently.
//
// Run: npm install --no-save @unicode/unicode-9.0.0@2.0.7 @unicode/unicode-11.0.0@2.0.7
//      node worker/sandbox/search/analysis/generate-tables.ts > worker/sandbox/search/analysis/tables.ts
import * as z from 'zod';
import {
  choice,
  compile,
  createNumbering,
  many,
  one,
  optional,
  type Pattern,
  sequence,
  some,
} from './automaton.ts';

const CODE_POINTS = 0x110000;
const LINE = 100;
const FIRST_CLASS = '@'.charCodeAt(0);
const FIRST_STATE = '0'.charCodeAt(0);

type Characters = ReadonlySet<number>;

const property = z.object({ default: z.array(z.object({ begin: z.number(), end: z.number() })) });

/** The characters that have any of the properties, each named as `<version>/<property>/<value>`. */
async function withAny(...names: readonly string[]): Promise<Characters> {
  const characters = new Set<number>();
  for (const name of names) {
    const loaded: unknown = await import(`@unicode/unicode-${name}/ranges.mjs`);
    for (const { begin, end } of property.parse(loaded).default) {
      for (let code = begin; code < end; code += 1) characters.add(code);
    }
  }
  return characters;
}

const words = (...values: readonly string[]) =>
  withAny(...values.map((value) => `9.0.0/Word_Break/${value}`));
const emoji = (value: string) => withAny(`11.0.0/Binary_Property/${value}`);
const between = (from: number, to: number): Characters =>
  new Set(Array.from({ length: to - from + 1 }, (_, at) => from + at));
const union = (...sets: readonly Characters[]): Characters => new Set(sets.flatMap((set) => [...set]));
const minus = (set: Characters, ...others: readonly Characters[]): Characters =>
  new Set([...set].filter((code) => !others.some((other) => other.has(code))));

const extend = await words('Extend', 'Format', 'ZWJ');
const regional = await words('Regional_Indicator');
const modifier = await emoji('Emoji_Modifier');
const keycapBase = union(between(0x30, 0x39), new Set([0x23, 0x2a]));

/** The sets that the rules below name. A full-width digit is a number here, though Unicode 9 classes it as other. */
const sets: Readonly<Record<string, Characters>> = {
  letter: await words('ALetter', 'Hebrew_Letter'),
  hebrew: await words('Hebrew_Letter'),
  number: union(await words('Numeric'), between(0xff10, 0xff19)),
  katakana: await words('Katakana'),
  betweenLetters: await words('MidLetter', 'MidNumLet', 'Single_Quote'),
  betweenNumbers: await words('MidNum', 'MidNumLet', 'Single_Quote'),
  connector: await words('ExtendNumLet'),
  singleQuote: await words('Single_Quote'),
  doubleQuote: await words('Double_Quote'),
  han: await withAny('9.0.0/Script/Han'),
  hiragana: await withAny('9.0.0/Script/Hiragana'),
  southEastAsian: await withAny('9.0.0/Line_Break/Complex_Context'),
  extend,
  plainExtend: minus(extend, between(0xfe0e, 0xfe0f)),
  joiner: await words('ZWJ'),
  picture: union(
    await emoji('Extended_Pictographic'),
    minus(await emoji('Emoji'), regional, keycapBase, modifier),
  ),
  modifier,
  modifierBase: await emoji('Emoji_Modifier_Base'),
  pictureSelector: between(0xfe0f, 0xfe0f),
  tag: between(0xe0020, 0xe007e),
  tagEnd: between(0xe007f, 0xe007f),
  keycapBase,
  keycap: between(0x20e3, 0x20e3),
  regional,
};

/** A character with the marks and formats after it (rule WB4). */
const marked = (set: string): Pattern => sequence(one(set), many(one('extend')));
/** The same in an emoji, where the choice between text and picture is not a mark. */
const plain = (set: string): Pattern => sequence(one(set), many(one('plainExtend')));
/** `item`s, between which any number of connectors or one `separator` may stand. */
const joined = (item: string, separator?: string): Pattern => {
  const connectors = many(marked('connector'));
  const gap = separator === undefined ? connectors : choice(connectors, marked(separator));
  return sequence(marked(item), many(sequence(gap, marked(item))));
};

const wordPart = choice(
  joined('katakana'),
  some(
    choice(
      sequence(
        marked('hebrew'),
        choice(marked('singleQuote'), sequence(marked('doubleQuote'), marked('hebrew'))),
      ),
      joined('number', 'betweenNumbers'),
      joined('letter', 'betweenLetters'),
    ),
  ),
);
const word = sequence(
  many(marked('connector')),
  wordPart,
  many(sequence(some(marked('connector')), wordPart)),
  many(marked('connector')),
);

const picture = choice(
  sequence(many(one('joiner')), plain('picture'), optional(one('pictureSelector'))),
  sequence(optional(sequence(many(one('joiner')), plain('modifierBase'))), plain('modifier')),
);
const emojiSequence = choice(
  sequence(
    picture,
    choice(many(sequence(one('joiner'), picture)), sequence(some(one('tag')), one('tagEnd'))),
  ),
  sequence(plain('keycapBase'), optional(one('pictureSelector')), plain('keycap')),
  sequence(marked('regional'), marked('regional')),
);

const token = choice(word, some(marked('southEastAsian')), marked('han'), marked('hiragana'), emojiSequence);

const namesOf = (code: number): string =>
  Object.entries(sets)
    .flatMap(([name, set]) => (set.has(code) ? [name] : []))
    .join();
const codes = [...Array(CODE_POINTS).keys()];

// Characters that lie in the same sets are of one kind. NUL, the first, lies in none.
const kinds = createNumbering<string>([], String);
const kindOf = codes.map((code) => kinds.numberOf(namesOf(code)));
const automaton = compile(
  token,
  kinds.values.map((names) => new Set(names.split(','))),
);

// Kinds that every state treats alike are one class.
const columns = createNumbering<string>([], String);
const classOfKind = kinds.values.map((_, kind) =>
  columns.numberOf(automaton.next.map((row) => row[kind]).join()),
);
const classOf = (code: number): number => classOfKind[kindOf[code] ?? 0] ?? 0;

// Accepting states get the highest numbers; dead and start, which do not accept, stay 0 and 1.
const states = automaton.accepts.map((_, state) => state);
const order = [
  ...states.filter((state) => !automaton.accepts[state]),
  ...states.filter((state) => automaton.accepts[state]),
];
const rows = order.map((state) =>
  columns.values
    .map((_, column) => automaton.next[state]?.[classOfKind.indexOf(column)] ?? 0)
    .map((next) => String.fromCharCode(FIRST_STATE + order.indexOf(next)))
    .join(''),
);

let runs = '';
for (let from = 0, to = 0; from < CODE_POINTS; from = to) {
  while (to < CODE_POINTS && classOf(to) === classOf(from)) to += 1;
  runs +=
    String.fromCharCode(FIRST_CLASS + classOf(from)) + (to - from === 1 ? '' : (to - from).toString(36));
}

const quoted = (text: string) => `  '${text}'`;
console.log(`// Generated by generate-tables.ts: the classes of characters and the automaton of the standard analyzer.

/** Classes of characters; 0 is in no word. */
export const CLASS_COUNT = ${columns.values.length};

/** The classes of U+0000 to U+10FFFF in runs: a class, from \`@\` (0) on, and its length in base 36 where above 1. */
export const CLASS_RUNS =
${(runs.match(new RegExp(`.{1,${LINE}}`, 'g')) ?? []).map(quoted).join(' +\n')};

/** For each state the next one, from \`0\` on, by class. State 0 is dead, 1 the start. */
export const TRANSITIONS = [
${rows.map((row) => `${quoted(row)},`).join('\n')}
];

/** From this state on, what was read so far is a token. */
export const FIRST_ACCEPTING = ${automaton.accepts.filter((accepts) => !accepts).length};`);
