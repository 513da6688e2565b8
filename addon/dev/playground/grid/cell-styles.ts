// Converts cell styles between Apps Script and the grid.
import { BooleanNumber, type IStyleData, type Nullable } from '@univerjs/core';

/** Converts one style in both directions; '' for the default. */
interface StyleConverter {
  readonly write: (value: string) => IStyleData;
  readonly read: (style: IStyleData) => string;
}

/** Number formats that mean "automatic" to a script. */
const AUTOMATIC = ['', 'General', '0.###############'];
/** The default background as scripts read it. Setting it must not hide the grid lines. */
const WHITE = '#ffffff';

const CONVERTERS: Readonly<Record<string, StyleConverter>> = {
  fontWeight: {
    write: (value) => ({ bl: value === 'bold' ? BooleanNumber.TRUE : BooleanNumber.FALSE }),
    read: ({ bl }) => (bl === BooleanNumber.TRUE ? 'bold' : ''),
  },
  background: {
    write: (value) => ({ bg: value === '' || value === WHITE ? null : { rgb: value } }),
    read: ({ bg }) => bg?.rgb ?? '',
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

/** Returns the Apps Script styles of rows of cells, in one layer per style in use. */
export function toStyleLayers(
  rows: readonly (readonly Nullable<IStyleData>[])[],
): Record<string, string[][]> {
  const layers = Object.entries(CONVERTERS).map(([name, { read }]) => {
    const layer = rows.map((cells) => cells.map((style) => (style ? read(style) : '')));
    return [name, layer] as const;
  });
  return Object.fromEntries(layers.filter(([, layer]) => layer.flat().some(Boolean)));
}

/** Returns whether a number format is automatic. */
export function isAutomatic(pattern: string): boolean {
  return AUTOMATIC.includes(pattern);
}
