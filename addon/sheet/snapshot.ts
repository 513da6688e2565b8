// Reads the contents of a block before it is written, for undo.
import { type Area, getRange, type Sheet } from './area.ts';

/** A link in a part of a text. */
interface Link {
  start: number;
  end: number;
  url: string;
}

export interface BlockSnapshot {
  values: unknown[][];
  formulas: string[][];
  formats: string[][];
  notes?: string[][];
  backgrounds?: string[][];
  weights?: string[][];
  /** Row and column within the block, starting with 0. */
  links: { row: number; column: number; text: string; links: Link[] }[];
}

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
