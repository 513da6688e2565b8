// Reads the contents of a block before it is written, for undo.
import { type Area, getRange, type Sheet } from './area.ts';

/** A link in a part of a text. */
interface Link {
  start: number;
  end: number;
  url: string;
}

/** What cells have besides their values. Optional layers are those that a write changes. */
export interface Layers<Layer> {
  formulas: Layer;
  formats: Layer;
  notes?: Layer;
  backgrounds?: Layer;
  weights?: Layer;
}

export interface BlockSnapshot extends Layers<string[][]> {
  values: unknown[][];
  /** Row and column within the block, starting with 0. */
  links: { row: number; column: number; text: string; links: Link[] }[];
}

export function mapLayers<From, To>(
  { formulas, formats, notes, backgrounds, weights }: Layers<From>,
  map: (layer: From) => To,
): Layers<To> {
  return {
    formulas: map(formulas),
    formats: map(formats),
    ...(notes && { notes: map(notes) }),
    ...(backgrounds && { backgrounds: map(backgrounds) }),
    ...(weights && { weights: map(weights) }),
  };
}

/** Returns the links of some rows of a block, counted from the first of them. */
export const sliceLinks = (links: BlockSnapshot['links'], from: number, to: number): BlockSnapshot['links'] =>
  links.flatMap((link) => (link.row < from || link.row >= to ? [] : { ...link, row: link.row - from }));

/**
 * Reads the contents of a block.
 * @param parts - what the write changes besides values, formulas, formats and links
 */
export function readSnapshot(
  sheet: Sheet,
  area: Area,
  parts: { notes: boolean; backgrounds: boolean; weights: boolean },
): BlockSnapshot {
  const range = getRange(sheet, area);
  const values: unknown[][] = range.getValues();
  const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
  const texts = values.some((row) => row.some(isText)) ? range.getRichTextValues() : [];
  return {
    values,
    formulas: range.getFormulas(),
    formats: range.getNumberFormats(),
    ...(parts.notes ? { notes: range.getNotes() } : {}),
    ...(parts.backgrounds ? { backgrounds: range.getBackgrounds() } : {}),
    ...(parts.weights ? { weights: range.getFontWeights() } : {}),
    links: texts.flatMap((row, r) =>
      row.flatMap((text, c) => {
        const links = (text?.getRuns() ?? []).flatMap((run): Link[] => {
          const url = run.getLinkUrl();
          return url === null ? [] : [{ start: run.getStartIndex(), end: run.getEndIndex(), url }];
        });
        return text === null || links.length === 0
          ? []
          : [{ row: r, column: c, text: text.getText(), links }];
      }),
    ),
  };
}
