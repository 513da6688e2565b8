// Looks of cells: what their setters and getters are called, what they take, and what a cell has that was given none.

export interface Style {
  /** What setter and getter of one cell end in: setFontWeight. */
  readonly one: string;
  /** What those of many cells end in: setFontWeights. */
  readonly many: string;
  /** The type of the setter's argument. */
  readonly takes: string;
  /** What the getter gives where no look was set; null where there is no getter here. */
  readonly empty: string | number | null;
  /** The words that are allowed, where only some are. */
  readonly words?: readonly string[];
}

/** Class Range, the setters and getters of looks. A colour reads back as it was set: names are not made `#rrggbb`. */
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

/** What the journal calls a style: FontWeight → fontWeight. */
export function styleName({ one }: Style): string {
  return one.charAt(0).toLowerCase() + one.slice(1);
}
