// What stands in a block before it is written.
import { type Area, getRange, type Sheet } from './area.ts';

/** A stretch of a text with a link. */
interface Link {
  start: number;
  end: number;
  url: string;
}

/** What stood in a block before it was written. */
export interface BlockSnapshot {
  values: unknown[][];
  formulas: string[][];
  formats: string[][];
  notes?: string[][];
  backgrounds?: string[][];
  weights?: string[][];
  /** By row and column of the block, from 0. */
  links: { row: number; column: number; text: string; links: Link[] }[];
}

/**
 * Reads what stands in a block.
 * @param parts - what beside values, formulas, formats and links will be changed there
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
