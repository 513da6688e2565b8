// Generates analysis.json: the tokens of Lucene's StandardAnalyzer for 5,000 ordinary and hostile strings.
// Development only. Needs a JDK (17 or newer) and Lucene 8 or 9; run: node test/golden/make-analysis.ts [LUCENE_CORE_JAR]
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHOSEN, DESCRIPTIONS, POOLS } from './analysis-strings.ts';

const SEED = 20_240_617;
const TOTAL = 5_000;
const JARS = '/usr/share/java';
const here = import.meta.dirname;

/** Exits with a message. */
function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

function findLucene(): string {
  const installed = existsSync(JARS) ? readdirSync(JARS) : [];
  const name = installed.find((each) => /^lucene-core-[89][.\d]*\.jar$/.test(each));
  const jar = process.argv[2] ?? join(JARS, name ?? 'lucene-core-8.jar');
  if (existsSync(jar)) return jar;
  return fail(`Lucene is missing: there is no ${jar}. On Debian: apt-get install liblucene8-java.`);
}

function run(command: string, args: readonly string[], input = ''): string {
  const { error, status, stdout, stderr } = spawnSync(command, args, {
    input,
    encoding: 'latin1',
    maxBuffer: 2 ** 30,
  });
  if (error !== undefined) {
    fail(
      `${command} could not run (${error.message}). A JDK is needed; on Debian: apt-get install openjdk-17-jdk-headless.`,
    );
  }
  if (status !== 0) fail(`${command} failed:\n${stderr}`);
  return stdout;
}

type Token = [term: string, position: number];

const lucene = findLucene();
const compiled = mkdtempSync(join(tmpdir(), 'analyse-'));
process.on('exit', () => rmSync(compiled, { recursive: true }));
run('javac', ['-d', compiled, '-classpath', lucene, join(here, 'java', 'Analyse.java')]);

const encode = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0')).join('');
const decode = (digits: string): string =>
  digits.replace(/.{4}/g, (unit) => String.fromCharCode(Number.parseInt(unit, 16)));

/** Returns Lucene's version and its tokens of each text. */
function analyse(texts: readonly string[]): { version: string; answers: Token[][] } {
  const input = texts.map((text) => `${encode(text)}\n`).join('');
  const [version = '', ...lines] = run('java', ['-classpath', `${compiled}:${lucene}`, 'Analyse'], input)
    .trimEnd()
    .split('\n');
  const answers = texts.map((_, index) =>
    (lines[index] ?? '').split(' ').flatMap((token): Token[] => {
      const [position = '', digits] = token.split(':');
      return digits === undefined ? [] : [[decode(digits), Number(position)]];
    }),
  );
  return { version, answers };
}

// Mulberry32: reproducible strings.
let state = SEED;
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let hash = Math.imul(state ^ (state >>> 15), 1 | state);
  hash = (hash + Math.imul(hash ^ (hash >>> 7), 61 | hash)) ^ hash;
  return ((hash ^ (hash >>> 14)) >>> 0) / 2 ** 32;
}
const randomBelow = (limit: number): number => Math.floor(random() * limit);
function pick<T>(from: readonly T[]): T {
  const value = from[randomBelow(from.length)];
  if (value === undefined) throw new Error('Nothing to pick from.');
  return value;
}
const repeat = (times: number, make: () => string, between = ''): string =>
  Array.from({ length: times }, make).join(between);

const WORDS = DESCRIPTIONS.flatMap((text) => text.split(' '));

type Pool = readonly string[];
const pools = (...names: readonly (keyof typeof POOLS)[]): Pool[] => names.map((name) => [...POOLS[name]]);
const everything: readonly Pool[] = Object.values(POOLS).map((pool) => [...pool]);
const marks = pools('mark', 'format', 'joiner', 'selector').flat();

const PICTURES = pools('picture', 'person', 'tone', 'flag', 'keycap', 'tag', 'joiner', 'selector', 'latin');
const SOUTH_EAST_ASIAN = pools('thai', 'lao', 'khmer', 'burmese', 'mark', 'latin', 'digit');
const EAST_ASIAN = pools('katakana', 'hiragana', 'han', 'hangul', 'latin', 'digit', 'between', 'mark');
const SEMITIC = pools('hebrew', 'quote', 'arabic', 'arabicDigit', 'mark', 'latin');
const INDIC = pools('devanagari', 'joiner', 'format', 'mark', 'digit', 'latin');

/** Generates runs of characters, each from one pool. */
function generateMixed(from: readonly Pool[], longest: number, keep = 0.5): string {
  let pool = pick(from);
  return repeat(1 + randomBelow(longest), () => {
    if (random() > keep) pool = pick(from);
    return pick(pool);
  });
}
const anyCharacter = (): string => String.fromCodePoint(randomBelow(random() < 0.8 ? 0x3400 : 0x20000));
const digits = (): string => String(randomBelow(10 ** (1 + randomBelow(6))));
const word = (): string => pick(WORDS);
const ascii = (): string => String.fromCharCode(32 + randomBelow(95));
const host = (): string =>
  pick(['', 'www.', 'shop.']) +
  pick(['acme', 'b-b', 'x1', 'münchen', 'данные']) +
  pick(['.com', '.co.uk', '.example', '.рф', '.io']);

/** Patterns of business texts: their parts in order, each a generator or a choice. */
const PATTERNS: readonly (readonly ((() => string) | Pool)[])[] = [
  [['http', 'https', 'ftp'], ['://'], host, ['', ':8080', '/'], ['', '/a/b_c.html', '?q=a+b&n=1', '#x-y']],
  [['info', 'first.last', 'a_b', 'x+y', "o'neil"], ['@'], host],
  [
    ['v', '', 'V', 'version '],
    () => repeat(1 + randomBelow(4), digits, '.'),
    ['', '-rc.1', 'b2', '+build', '_x86'],
  ],
  [digits, [...",.'’ \u00a0;:/-_٬．"], digits, ['', '.', ',5', '%', 'kg', '€', '-x']],
  [() => repeat(3, digits, pick(['-', '/', '.', ':', '. ', '年']))],
  [word, [...'\'’‘＇´`"״_.:·&-/@'], word],
  [[...'("«“[¿_#@$'], word, [')', '"', '»', '”', '!', '...', '_', '?!', "'s"]],
  [word, [' '], word, () => generateMixed(everything, 3)],
];
const pattern = (): string =>
  pick(PATTERNS)
    .map((part) => (typeof part === 'function' ? part() : pick(part)))
    .join('');

/** Characters of tokens, and characters after and between them. */
const LETTERS = ['a', 'Ⓜ', 'א', '1', '１', 'ア', '_', 'ก', '漢', '々', 'あ', '☺'];
const SIGNS = ['☺', '👩', '🏽', '🇩', '#', '1', 'Ⓜ', '\u200d'];
const AFTER = [
  ...'\u200d\u200d\u200d\u200d\ufe0f\ufe0f\u0301\u0301\u0e31\ufe0e\u20e3',
  '\u{e0061}',
  '\u{e007f}',
];
const BETWEEN = [...'\'".:,_'];
const several = (from: Pool, often: number): string =>
  random() < often ? pick(from) + several(from, often) : '';

/** Generates a string that is nearly one token. */
function generateDense(stems: Pool, marked: number, parted: number): string {
  const used = [pick(stems), pick(stems)];
  const part = (): string =>
    pick(used) + several(AFTER, marked) + (random() < parted ? pick(BETWEEN) + several(AFTER, marked) : '');
  return repeat(2 + randomBelow(4), part);
}

/** Parts of words around the maximum length of a token. */
const LONG = [
  ['', 'é ', '😀'],
  ['a', 'é', '𐐀', '1', 'ก', '_', 'カ', "a'", '1,', 'a.b_', 'e\u0301', '한'],
  ['', ' b', '😀', "'", '.x'],
] as const;
const long = (): string => `${pick(LONG[0])}${pick(LONG[1]).repeat(120 + randomBelow(150))}${pick(LONG[2])}`;

const KINDS: readonly { count: number; make: () => string }[] = [
  { count: 500, make: () => repeat(1 + randomBelow(40), ascii) },
  { count: 700, make: () => repeat(1 + randomBelow(3), pattern, ' ') },
  { count: 600, make: () => generateDense(LETTERS, 0.4, 0.5) },
  { count: 300, make: () => generateDense(['Ⓜ', pick(LETTERS)], 0.5, 0.4) },
  { count: 500, make: () => generateDense(SIGNS, 0.6, 0.1) },
  { count: 600, make: () => generateMixed(everything, 14) },
  { count: 350, make: () => generateMixed([pick(everything), pick(everything), marks], 10) },
  { count: 70, make: () => generateMixed(PICTURES, 9, 0.2) },
  { count: 150, make: () => generateMixed(SOUTH_EAST_ASIAN, 12) },
  { count: 150, make: () => generateMixed(EAST_ASIAN, 12) },
  { count: 150, make: () => generateMixed(SEMITIC, 12) },
  { count: 100, make: () => generateMixed(INDIC, 12) },
  { count: 150, make: () => repeat(1 + randomBelow(12), anyCharacter) },
  { count: 40, make: long },
  {
    count: 20,
    make: () => 'x'.repeat(249 + randomBelow(8)) + generateMixed(everything, 8) + pick([' end', 'a', '1']),
  },
];

/** Closes a trailing lone surrogate, before which Lucene's scanner loses text. */
const closeSurrogate = (text: string): string => (/[\ud800-\udbff]$/.test(text) ? `${text}.` : text);

/** Finds the characters on both sides of each change in Lucene's treatment, and all capital letters. */
function generateEdges(): string[] {
  const frames = '% a%a 1%1 1,% א%א ア%ア ก%ก _%_ ☺%🏻 ☺%\u{e007f} 🇦%🇦 #%\u20e3 %\u200d%'.split(' ');
  const characters = [
    ...Array(0x30000).keys(),
    ...Array.from({ length: 0x300 }, (_, at) => 0xe0000 + at - 0x80),
  ].map((code) => String.fromCodePoint(code));
  const shapes = characters.map(() => '');
  const capitals: string[] = [];
  for (const frame of frames) {
    const texts = characters.map((character) => closeSurrogate(frame.replaceAll('%', character)));
    analyse(texts).answers.forEach((tokens, index) => {
      shapes[index] += `${tokens.map(([term]) => term.length).join()};`;
      const character = characters[index] ?? '';
      if (frame === '%' && tokens.length > 0 && tokens[0]?.[0] !== character) capitals.push(character);
    });
  }
  const sides = characters.filter((_, at) => shapes[at] !== shapes[at - 1] || shapes[at] !== shapes[at + 1]);
  const inGroups = (
    all: readonly string[],
    size: number,
    make: (group: readonly string[]) => string,
  ): string[] =>
    Array.from({ length: Math.ceil(all.length / size) }, (_, group) =>
      closeSurrogate(make(all.slice(group * size, (group + 1) * size))),
    );
  return [
    ...inGroups(sides, 10, (group) =>
      group.map((each) => `${each} a${each}1 1${each}1 1,${each} א${each}א`).join(' '),
    ),
    ...inGroups(capitals, 40, (group) => group.join('')),
  ];
}

const texts = new Set([...CHOSEN, ...DESCRIPTIONS, ...generateEdges()]);
console.log(`${texts.size} strings are chosen.`);
for (const { count, make } of KINDS) {
  for (const goal = texts.size + count; texts.size < goal; ) texts.add(closeSurrogate(make()));
}
console.log(`${texts.size} with those of every kind.`);
if (texts.size > TOTAL) fail(`More than ${TOTAL} strings: lower the counts.`);
while (texts.size < TOTAL) texts.add(closeSurrogate(repeat(2 + randomBelow(8), word, ' ')));

const { version, answers } = analyse([...texts]);
// Escapes characters that editors hide or interpret.
const visible = (json: string): string =>
  json.replace(
    /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${encode(character).replace(/....(?=.)/g, '$&\\u')}`,
  );
const lines = [...texts].map((text, index) => visible(JSON.stringify([text, answers[index]])));
writeFileSync(
  join(here, 'analysis.json'),
  `{"lucene":"${version}","seed":${SEED},"cases":[\n${lines.join(',\n')}\n]}\n`,
);
