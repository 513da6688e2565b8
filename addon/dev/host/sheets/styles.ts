// Cell styles: names of setters and getters, argument types and defaults.

export interface Style {
  /** Suffix of the one-cell setter and getter: setFontWeight. */
  readonly singular: string;
  /** Suffix of the many-cell setter and getter: setFontWeights. */
  readonly plural: string;
  readonly parameterType: string;
  /** The getter's default; null if there is no getter. */
  readonly defaultValue: string | number | null;
  readonly allowedValues?: readonly string[];
}

/** Class Range, style setters and getters. A colour reads back as set: names are not converted to `#rrggbb`. */
export const STYLES: readonly Style[] = [
  {
    singular: 'FontWeight',
    plural: 'FontWeights',
    parameterType: 'String?',
    defaultValue: 'normal',
    allowedValues: ['normal', 'bold'],
  },
  {
    singular: 'FontStyle',
    plural: 'FontStyles',
    parameterType: 'String?',
    defaultValue: 'normal',
    allowedValues: ['normal', 'italic'],
  },
  {
    singular: 'FontLine',
    plural: 'FontLines',
    parameterType: 'String?',
    defaultValue: 'none',
    allowedValues: ['none', 'underline', 'line-through'],
  },
  { singular: 'FontColor', plural: 'FontColors', parameterType: 'String?', defaultValue: '#000000' },
  { singular: 'FontSize', plural: 'FontSizes', parameterType: 'Integer', defaultValue: 10 },
  { singular: 'Background', plural: 'Backgrounds', parameterType: 'String?', defaultValue: '#ffffff' },
  {
    singular: 'HorizontalAlignment',
    plural: 'HorizontalAlignments',
    parameterType: 'String?',
    defaultValue: 'general',
    allowedValues: ['left', 'center', 'normal', 'right'],
  },
  {
    singular: 'VerticalAlignment',
    plural: 'VerticalAlignments',
    parameterType: 'String?',
    defaultValue: 'bottom',
    allowedValues: ['top', 'middle', 'bottom'],
  },
  { singular: 'Wrap', plural: 'Wraps', parameterType: 'Boolean', defaultValue: null },
  {
    singular: 'WrapStrategy',
    plural: 'WrapStrategies',
    parameterType: 'SpreadsheetApp.WrapStrategy',
    defaultValue: null,
  },
];

/** Returns the style's name in the journal: FontWeight → fontWeight. */
export function styleName({ singular }: Style): string {
  return singular.charAt(0).toLowerCase() + singular.slice(1);
}
