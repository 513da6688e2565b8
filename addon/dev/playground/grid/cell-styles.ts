// Converts cell styles between Apps Script and the grid.
import {
  BooleanNumber,
  HorizontalAlign,
  type IStyleData,
  type Nullable,
  VerticalAlign,
  WrapStrategy,
} from '@univerjs/core';

/** Converts one style in both directions; '' for the default. */
interface Look {
  readonly write: (value: string) => IStyleData;
  readonly read: (style: IStyleData) => string;
}

/** Number formats that mean "automatic" to a script. */
const AUTOMATIC = ['', 'General', '0.###############'];
/** The default background as scripts read it. Setting it must not hide the grid lines. */
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
    // `wrapStrategy` is more specific.
    read: () => '',
  },
  wrapStrategy: {
    write: (value) => ({ tb: ofWord(WRAPS, value) }),
    read: ({ tb }) => wordOf(WRAPS, tb),
  },
};

/** Returns the grid's style for an Apps Script style. */
export function styleFor(style: string, value: string): IStyleData {
  return LOOKS[style]?.write(value) ?? {};
}

/** Returns the Apps Script styles that a grid style sets. */
export function looksOf(style: IStyleData): [style: string, value: string][] {
  return Object.entries(LOOKS).flatMap(([name, { read }]): [string, string][] => {
    const value = read(style);
    return value === '' ? [] : [[name, value]];
  });
}

/** Returns whether a number format is automatic. */
export function isAutomatic(pattern: string): boolean {
  return AUTOMATIC.includes(pattern);
}
