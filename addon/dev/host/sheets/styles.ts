// Cell styles: names of setters and getters, and defaults.

export interface Style {
  /** Suffix of the one-cell setter and getter: setFontWeight. */
  readonly singular: string;
  /** Suffix of the many-cell setter and getter: setFontWeights. */
  readonly plural: string;
  readonly defaultValue: string;
  readonly allowedValues?: readonly string[];
}

/** Class Range, style setters and getters. A colour reads back as set: names are not converted to `#rrggbb`. */
export const STYLES: readonly Style[] = [
  {
    singular: 'FontWeight',
    plural: 'FontWeights',
    defaultValue: 'normal',
    allowedValues: ['normal', 'bold'],
  },
  { singular: 'Background', plural: 'Backgrounds', defaultValue: '#ffffff' },
];

/** Returns the style's name in the journal: FontWeight → fontWeight. */
export function styleName({ singular }: Style): string {
  return singular.charAt(0).toLowerCase() + singular.slice(1);
}
