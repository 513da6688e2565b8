// Cell styles: names of setters and getters, and defaults.

export interface Style {
  /** In the names of setters and getters, such as setFontWeight and, for many cells, setFontWeights. */
  readonly name: string;
  readonly defaultValue: string;
  readonly allowedValues?: readonly string[];
}

/** Class Range, style setters and getters. A colour reads back as set: names are not converted to `#rrggbb`. */
export const STYLES: readonly Style[] = [
  { name: 'FontWeight', defaultValue: 'normal', allowedValues: ['normal', 'bold'] },
  { name: 'Background', defaultValue: '#ffffff' },
];

/** Returns the style's key in the journal: FontWeight → fontWeight. */
export function styleKey({ name }: Style): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
