// Looks of cells, between what Apps Script calls them and the grid's styles.
import {
  BooleanNumber,
  HorizontalAlign,
  type IStyleData,
  type Nullable,
  VerticalAlign,
  WrapStrategy,
} from '@univerjs/core';

/** One look: how the grid has it, given as a journal gives it, and back; '' where a cell has none of its own. */
interface Look {
  readonly write: (value: string) => IStyleData;
  readonly read: (style: IStyleData) => string;
}

/** Number formats of cells that nobody formatted, as a script reads and sets them. */
const AUTOMATIC = ['', 'General', '0.###############'];
/** What a script reads of a cell without a background: set again, it must leave the grid's lines. */
const WHITE = '#ffffff';
const FONT_SIZE = 10;

const HORIZONTAL: readonly (readonly [string, HorizontalAlign])[] = [
  ['left', HorizontalAlign.LEFT],
  ['center', HorizontalAlign.CENTER],
  ['right', HorizontalAlign.RIGHT],
];
const VERTICAL: readonly (readonly [string, VerticalAlign])[] = [
  ['top', VerticalAlign.TOP],
  ['middle', VerticalAlign.MIDDLE],
  ['bottom', VerticalAlign.BOTTOM],
];
const WRAPS: readonly (readonly [string, WrapStrategy])[] = [
  ['WRAP', WrapStrategy.WRAP],
  ['CLIP', WrapStrategy.CLIP],
  ['OVERFLOW', WrapStrategy.OVERFLOW],
];

type Words<T> = readonly (readonly [string, T])[];
const ofWord = <T>(words: Words<T>, word: string): T | null =>
  words.find(([name]) => name === word)?.[1] ?? null;
const wordOf = <T>(words: Words<T>, value: Nullable<T>): string =>
  words.find(([, one]) => one === value)?.[0] ?? '';

const flag = (on: boolean): BooleanNumber => (on ? BooleanNumber.TRUE : BooleanNumber.FALSE);
const isOn = (value: BooleanNumber | undefined): boolean => value === BooleanNumber.TRUE;

const LOOKS: Readonly<Record<string, Look>> = {
  fontWeight: {
    write: (value) => ({ bl: flag(value === 'bold') }),
    read: ({ bl }) => (isOn(bl) ? 'bold' : ''),
  },
  fontStyle: {
    write: (value) => ({ it: flag(value === 'italic') }),
    read: ({ it }) => (isOn(it) ? 'italic' : ''),
  },
  fontLine: {
    write: (value) => ({ ul: { s: flag(value === 'underline') }, st: { s: flag(value === 'line-through') } }),
    read: ({ ul, st }) => (isOn(ul?.s) ? 'underline' : isOn(st?.s) ? 'line-through' : ''),
  },
  fontColor: {
    write: (value) => ({ cl: value === '' ? null : { rgb: value } }),
    read: ({ cl }) => cl?.rgb ?? '',
  },
  fontSize: {
    write: (value) => ({ fs: value === '' ? FONT_SIZE : Number(value) }),
    read: ({ fs }) => (fs === undefined ? '' : String(fs)),
  },
  background: {
    write: (value) => ({ bg: value === '' || value === WHITE ? null : { rgb: value } }),
    read: ({ bg }) => bg?.rgb ?? '',
  },
  horizontalAlignment: {
    write: (value) => ({ ht: ofWord(HORIZONTAL, value) }),
    read: ({ ht }) => wordOf(HORIZONTAL, ht),
  },
  verticalAlignment: {
    write: (value) => ({ vt: ofWord(VERTICAL, value) }),
    read: ({ vt }) => wordOf(VERTICAL, vt),
  },
  wrap: {
    write: (value) => ({ tb: value === 'true' ? WrapStrategy.WRAP : null }),
    // As a strategy it says more.
    read: () => '',
  },
  wrapStrategy: {
    write: (value) => ({ tb: ofWord(WRAPS, value) }),
    read: ({ tb }) => wordOf(WRAPS, tb),
  },
};

/** The grid's style for a look. */
export function styleFor(style: string, value: string): IStyleData {
  return LOOKS[style]?.write(value) ?? {};
}

/** The looks of a style, by what Apps Script calls them; those that it has. */
export function looksOf(style: IStyleData): [style: string, value: string][] {
  return Object.entries(LOOKS).flatMap(([name, { read }]): [string, string][] => {
    const value = read(style);
    return value === '' ? [] : [[name, value]];
  });
}

/** Whether a number format is that of cells that nobody formatted. */
export function isAutomatic(pattern: string): boolean {
  return AUTOMATIC.includes(pattern);
}
