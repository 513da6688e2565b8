// Makes analysis.json: what Lucene's StandardAnalyzer makes of 5,000 strings, ordinary and hostile.
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

/** Ends the program with a message for whoever runs it. */
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

/** Lucene's version, and its tokens of each text. */
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

// Mulberry32: the same strings from the same seed, everywhere.
let state = SEED;
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let hash = Math.imul(state ^ (state >>> 15), 1 | state);
  hash = (hash + Math.imul(hash ^ (hash >>> 7), 61 | hash)) ^ hash;
  return ((hash ^ (hash >>> 14)) >>> 0) / 2 ** 32;
}
const below = (limit: number): number => Math.floor(random() * limit);
function pick<T>(from: readonly T[]): T {
  const value = from[below(from.length)];
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

/** A string of runs of characters, each run from one pool. */
function mixed(from: readonly Pool[], longest: number, keep = 0.5): string {
  let pool = pick(from);
  return repeat(1 + below(longest), () => {
    if (random() > keep) pool = pick(from);
    return pick(pool);
  });
}
const anyCharacter = (): string => String.fromCodePoint(below(random() < 0.8 ? 0x3400 : 0x20000));
const digits = (): string => String(below(10 ** (1 + below(6))));
const word = (): string => pick(WORDS);
const ascii = (): string => String.fromCharCode(32 + below(95));
const host = (): string =>
  pick(['', 'www.', 'shop.']) +
  pick(['acme', 'b-b', 'x1', 'münchen', 'данные']) +
  pick(['.com', '.co.uk', '.example', '.рф', '.io']);

/** Kinds of strings that stand in business texts: their parts in order, each made or one of several. */
const PATTERNS: readonly (readonly ((() => string) | Pool)[])[] = [
  [['http', 'https', 'ftp'], ['://'], host, ['', ':8080', '/'], ['', '/a/b_c.html', '?q=a+b&n=1', '#x-y']],
  [['info', 'first.last', 'a_b', 'x+y', "o'neil"], ['@'], host],
  [
    ['v', '', 'V', 'version '],
    () => repeat(1 + below(4), digits, '.'),
    ['', '-rc.1', 'b2', '+build', '_x86'],
  ],
  [digits, [...",.'’ \u00a0;:/-_٬．"], digits, ['', '.', ',5', '%', 'kg', '€', '-x']],
  [() => repeat(3, digits, pick(['-', '/', '.', ':', '. ', '年']))],
  [word, [...'\'’‘＇´`"״_.:·&-/@'], word],
  [[...'("«“[¿_#@$'], word, [')', '"', '»', '”', '!', '...', '_', '?!', "'s"]],
  [word, [' '], word, () => mixed(everything, 3)],
];
const pattern = (): string =>
  pick(PATTERNS)
    .map((part) => (typeof part === 'function' ? part() : pick(part)))
    .join('');

/** What tokens are made of, and what may stand after and between it. */
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

/** A string that is nearly one token. */
function dense(stems: Pool, marked: number, parted: number): string {
  const used = [pick(stems), pick(stems)];
  const part = (): string =>
    pick(used) + several(AFTER, marked) + (random() < parted ? pick(BETWEEN) + several(AFTER, marked) : '');
  return repeat(2 + below(4), part);
}

/** Words that go on about as long as a token may be. */
const LONG = [
  ['', 'é ', '😀'],
  ['a', 'é', '𐐀', '1', 'ก', '_', 'カ', "a'", '1,', 'a.b_', 'e\u0301', '한'],
  ['', ' b', '😀', "'", '.x'],
] as const;
const long = (): string => `${pick(LONG[0])}${pick(LONG[1]).repeat(120 + below(150))}${pick(LONG[2])}`;

const KINDS: readonly { count: number; make: () => string }[] = [
  { count: 500, make: () => repeat(1 + below(40), ascii) },
  { count: 700, make: () => repeat(1 + below(3), pattern, ' ') },
  { count: 600, make: () => dense(LETTERS, 0.4, 0.5) },
  { count: 300, make: () => dense(['Ⓜ', pick(LETTERS)], 0.5, 0.4) },
  { count: 500, make: () => dense(SIGNS, 0.6, 0.1) },
  { count: 600, make: () => mixed(everything, 14) },
  { count: 350, make: () => mixed([pick(everything), pick(everything), marks], 10) },
  { count: 70, make: () => mixed(PICTURES, 9, 0.2) },
  { count: 150, make: () => mixed(SOUTH_EAST_ASIAN, 12) },
  { count: 150, make: () => mixed(EAST_ASIAN, 12) },
  { count: 150, make: () => mixed(SEMITIC, 12) },
  { count: 100, make: () => mixed(INDIC, 12) },
  { count: 150, make: () => repeat(1 + below(12), anyCharacter) },
  { count: 40, make: long },
  { count: 20, make: () => 'x'.repeat(249 + below(8)) + mixed(everything, 8) + pick([' end', 'a', '1']) },
];

/** Leaves no half of a character at the end: Lucene's scanner then loses text before it. */
const closed = (text: string): string => (/[\ud800-\udbff]$/.test(text) ? `${text}.` : text);

/** The characters at which Lucene's treatment changes, both sides of each edge, and every capital letter. */
function edges(): string[] {
  const frames = '% a%a 1%1 1,% א%א ア%ア ก%ก _%_ ☺%🏻 ☺%\u{e007f} 🇦%🇦 #%\u20e3 %\u200d%'.split(' ');
  const characters = [
    ...Array(0x30000).keys(),
    ...Array.from({ length: 0x300 }, (_, at) => 0xe0000 + at - 0x80),
  ].map((code) => String.fromCodePoint(code));
  const shapes = characters.map(() => '');
  const capitals: string[] = [];
  for (const frame of frames) {
    const texts = characters.map((character) => closed(frame.replaceAll('%', character)));
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
      closed(make(all.slice(group * size, (group + 1) * size))),
    );
  return [
    ...inGroups(sides, 10, (group) =>
      group.map((each) => `${each} a${each}1 1${each}1 1,${each} א${each}א`).join(' '),
    ),
    ...inGroups(capitals, 40, (group) => group.join('')),
  ];
}

const texts = new Set([...CHOSEN, ...DESCRIPTIONS, ...edges()]);
console.log(`${texts.size} strings are chosen.`);
for (const { count, make } of KINDS) {
  for (const goal = texts.size + count; texts.size < goal; ) texts.add(closed(make()));
}
console.log(`${texts.size} with those of every kind.`);
if (texts.size > TOTAL) fail(`More than ${TOTAL} strings: lower the counts.`);
while (texts.size < TOTAL) texts.add(closed(repeat(2 + below(8), word, ' ')));

const { version, answers } = analyse([...texts]);
// Escaped where an editor would hide or obey a character.
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
