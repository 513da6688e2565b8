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
interface StyleConverter {
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

type WordList<T> = readonly (readonly [string, T])[];
const toValue = <T>(list: WordList<T>, word: string): T | null =>
  list.find(([name]) => name === word)?.[1] ?? null;
const toWord = <T>(list: WordList<T>, value: Nullable<T>): string =>
  list.find(([, item]) => item === value)?.[0] ?? '';

const toBoolean = (on: boolean): BooleanNumber => (on ? BooleanNumber.TRUE : BooleanNumber.FALSE);
const isOn = (value: BooleanNumber | undefined): boolean => value === BooleanNumber.TRUE;

const CONVERTERS: Readonly<Record<string, StyleConverter>> = {
  fontWeight: {
    write: (value) => ({ bl: toBoolean(value === 'bold') }),
    read: ({ bl }) => (isOn(bl) ? 'bold' : ''),
  },
  fontStyle: {
    write: (value) => ({ it: toBoolean(value === 'italic') }),
    read: ({ it }) => (isOn(it) ? 'italic' : ''),
  },
  fontLine: {
    write: (value) => ({
      ul: { s: toBoolean(value === 'underline') },
      st: { s: toBoolean(value === 'line-through') },
    }),
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
    write: (value) => ({ ht: toValue(HORIZONTAL, value) }),
    read: ({ ht }) => toWord(HORIZONTAL, ht),
  },
  verticalAlignment: {
    write: (value) => ({ vt: toValue(VERTICAL, value) }),
    read: ({ vt }) => toWord(VERTICAL, vt),
  },
  wrap: {
    write: (value) => ({ tb: value === 'true' ? WrapStrategy.WRAP : null }),
    // `wrapStrategy` is more specific.
    read: () => '',
  },
  wrapStrategy: {
    write: (value) => ({ tb: toValue(WRAPS, value) }),
    read: ({ tb }) => toWord(WRAPS, tb),
  },
};

/** Returns the grid's style for an Apps Script style. */
export function toGridStyle(style: string, value: string): IStyleData {
  return CONVERTERS[style]?.write(value) ?? {};
}

/** Returns the Apps Script styles that a grid style sets. */
export function toStyleValues(style: IStyleData): [style: string, value: string][] {
  return Object.entries(CONVERTERS).flatMap(([name, { read }]): [string, string][] => {
    const value = read(style);
    return value === '' ? [] : [[name, value]];
  });
}

/** Returns whether a number format is automatic. */
export function isAutomatic(pattern: string): boolean {
  return AUTOMATIC.includes(pattern);
}
