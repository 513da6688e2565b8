// Distorts company names in documented ways, and makes near names of other companies.

/** Returns a number from 0 up to 1. */
export type Random = () => number;

/** Picks a random item. */
export const pick = <T>(list: readonly T[], random: Random): T | undefined =>
  list[Math.floor(random() * list.length)];

const legalForms = ['Inc.', 'LLC', 'Ltd', 'Limited', 'GmbH', 'Corp.', 'S.A.', 'B.V.', 'Pty Ltd', 'Co.'];

/** Rows of a keyboard. Each is half a key to the right of the one above. */
const KEYBOARD = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const LETTERS = KEYBOARD.join('');

function locate(letter: string): { row: number; column: number } {
  const row = KEYBOARD.findIndex((keys) => keys.includes(letter));
  return { row, column: (KEYBOARD[row]?.indexOf(letter) ?? 0) + row / 2 };
}

/** Lists the letters beside a letter on a keyboard. */
function listNeighbours(letter: string): string[] {
  const from = locate(letter);
  return [...LETTERS].filter((other) => {
    const to = locate(other);
    return other !== letter && Math.abs(from.row - to.row) <= 1 && Math.abs(from.column - to.column) <= 1;
  });
}

const wordAbbreviations: Readonly<Record<string, string>> = {
  analytics: 'anlytcs',
  and: '&',
  associates: 'assoc',
  bank: 'bk',
  capital: 'cap',
  engineering: 'eng',
  financial: 'fin',
  global: 'glob',
  group: 'grp',
  health: 'hlth',
  industries: 'ind',
  international: 'intl',
  laboratories: 'labs',
  management: 'mgmt',
  manufacturing: 'mfg',
  medical: 'med',
  network: 'netw',
  partners: 'ptnrs',
  payments: 'paymts',
  pharmaceuticals: 'pharma',
  robotics: 'robot',
  security: 'sec',
  services: 'svcs',
  software: 'sw',
  solutions: 'soln',
  systems: 'sys',
  technologies: 'tech',
  therapeutics: 'ther',
};

/** Errors in shorter names are left to a person. */
const MIN_TYPO_LENGTH = 6;
const fundNumbers = ['II', 'III', 'IV', '5', '6', '2018', '2019', '2020'];

const MIN_CUT_LENGTH = 7;
const CUT_LENGTH = 5;

/** Adds a legal form and changes the case. */
export function addLegalForm(name: string, random: Random): string {
  const form = pick(legalForms, random) ?? '';
  const full = `${name}${random() < 0.5 ? ', ' : ' '}${form}`;
  const turn = random();
  if (turn < 1 / 3) return full.toUpperCase();
  return turn < 2 / 3 ? full.toLowerCase() : full;
}

/** Makes one slip of the keyboard after the first letter of the longest word. */
export function mistype(name: string, random: Random): string | undefined {
  const words = name.split(' ');
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '');
  if (longest.length < MIN_TYPO_LENGTH || !/^[a-z]+$/i.test(longest)) return undefined;
  const at = 1 + Math.floor(random() * (longest.length - 2));
  const [before, letter = '', next = '', after] = [
    longest.slice(0, at),
    longest[at],
    longest[at + 1],
    longest.slice(at + 2),
  ];
  const beside = pick(listNeighbours(letter.toLowerCase()), random) ?? '';
  const typed = pick(
    [
      before + next + letter + after,
      before + next + after,
      before + letter + letter + next + after,
      before + beside + next + after,
    ],
    random,
  );
  if (typed === undefined || typed === longest) return undefined;
  return words.map((word) => (word === longest ? typed : word)).join(' ');
}

/** Shortens common words, or cuts the last long word. Names of one word have no abbreviation. */
export function abbreviate(name: string): string | undefined {
  const words = name.split(' ');
  if (words.length < 2) return undefined;
  const shortened = words.map((word) => wordAbbreviations[word.toLowerCase()] ?? word);
  if (shortened.join(' ') !== name) return shortened.join(' ');
  const last = words[words.length - 1] ?? '';
  if (last.length < MIN_CUT_LENGTH) return undefined;
  return [...words.slice(0, -1), `${last.slice(0, CUT_LENGTH)}.`].join(' ');
}

const addedWords = ['Labs', 'Partners', 'Foods', 'Studio', 'Bank', 'Logistics', 'Ventures', 'Clinic'];

/** Replaces a letter of the first word, which every distorted name shows, by one that is not beside it on the keyboard. */
export function replaceLetter(name: string, random: Random): string {
  const [word = ''] = name.split(' ', 1);
  const at = 1 + Math.floor(random() * Math.max(1, word.length - 2));
  const letter = name[at]?.normalize('NFD').charAt(0).toLowerCase() ?? '';
  const beside = listNeighbours(letter);
  const others = [...LETTERS].filter((other) => other !== letter && !beside.includes(other));
  return name.slice(0, at) + (pick(others, random) ?? 'x') + name.slice(at + 1);
}

/** Makes the names of two other companies: one with another word, one with another letter. */
export function createDecoys(name: string, random: Random): [string, string] {
  return [`${name} ${pick(addedWords, random)}`, replaceLetter(name, random)];
}

/** Adds the number of a fund to a name. */
export const addFund = (name: string, random: Random): string => `${name} Fund ${pick(fundNumbers, random)}`;

/** Makes the names of two other funds. */
export function createOtherFunds(name: string): [string, string] {
  const [, fund = '', number = ''] = /^(.* Fund )(\S+)$/.exec(name) ?? [];
  const at = fundNumbers.indexOf(number);
  const other = (step: number): string => fund + fundNumbers[(at + step) % fundNumbers.length];
  return [other(1), other(2)];
}
