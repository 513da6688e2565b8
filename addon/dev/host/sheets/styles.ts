// Cell styles: names of setters and getters, argument types and defaults.

export interface Style {
  /** Suffix of the one-cell setter and getter: setFontWeight. */
  readonly one: string;
  /** Suffix of the many-cell setter and getter: setFontWeights. */
  readonly many: string;
  readonly takes: string;
  /** The getter's default; null if there is no getter. */
  readonly empty: string | number | null;
  /** Allowed values, if restricted. */
  readonly words?: readonly string[];
}

/** Class Range, style setters and getters. A colour reads back as set: names are not converted to `#rrggbb`. */
export const STYLES: readonly Style[] = [
  { one: 'FontWeight', many: 'FontWeights', takes: 'String?', empty: 'normal', words: ['normal', 'bold'] },
  { one: 'FontStyle', many: 'FontStyles', takes: 'String?', empty: 'normal', words: ['normal', 'italic'] },
  {
    one: 'FontLine',
    many: 'FontLines',
    takes: 'String?',
    empty: 'none',
    words: ['none', 'underline', 'line-through'],
  },
  { one: 'FontColor', many: 'FontColors', takes: 'String?', empty: '#000000' },
  { one: 'FontSize', many: 'FontSizes', takes: 'Integer', empty: 10 },
  { one: 'Background', many: 'Backgrounds', takes: 'String?', empty: '#ffffff' },
  {
    one: 'HorizontalAlignment',
    many: 'HorizontalAlignments',
    takes: 'String?',
    empty: 'general',
    words: ['left', 'center', 'normal', 'right'],
  },
  {
    one: 'VerticalAlignment',
    many: 'VerticalAlignments',
    takes: 'String?',
    empty: 'bottom',
    words: ['top', 'middle', 'bottom'],
  },
  { one: 'Wrap', many: 'Wraps', takes: 'Boolean', empty: null },
  { one: 'WrapStrategy', many: 'WrapStrategies', takes: 'SpreadsheetApp.WrapStrategy', empty: null },
];

/** Returns the style's name in the journal: FontWeight → fontWeight. */
export function styleName({ one }: Style): string {
  return one.charAt(0).toLowerCase() + one.slice(1);
}
