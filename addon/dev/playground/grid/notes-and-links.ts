// Notes and links of cells, stored as custom data because the grid has no such fields.
import type { CustomData, ICellData, Nullable } from '@univerjs/core';
import type { RichText, Run } from '../../host/types.ts';

/** Returns a cell's note; '' if it has none. */
export function getNote(custom: Nullable<CustomData>): string {
  const note: unknown = custom?.note;
  return typeof note === 'string' ? note : '';
}

/**
 * Returns the links in a cell's text.
 * @param value - the cell's value: links are invalid once the text has changed
 */
export function getLinks(
  custom: Nullable<CustomData>,
  value: Nullable<ICellData['v']>,
): readonly Run[] | null {
  const links: unknown = custom?.links;
  if (!Array.isArray(links) || custom?.linked !== value) return null;
  return links.filter(isRun);
}

/** Returns the web page that a link opens; undefined for other schemes. */
export function toWebAddress(link: string | null): string | undefined {
  if (link === null || !URL.canParse(link)) return undefined;
  const { protocol, href } = new URL(link);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}

export function toCustomData(note: string, linked: RichText | null): CustomData {
  if (note === '' && linked === null) return null;
  return {
    ...(note === '' ? {} : { note }),
    ...(linked === null ? {} : { links: linked.runs, linked: linked.text }),
  };
}

function isRun(value: unknown): value is Run {
  return typeof value === 'object' && value !== null && 'start' in value && 'end' in value && 'link' in value;
}
