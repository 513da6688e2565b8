// What a cell holds beside its value and the grid does not know: its note, and the links in its text.
import type { CustomData, ICellData, Nullable } from '@univerjs/core';
import type { RichText, Run } from '../../host/types.ts';

/** The note of a cell, '' where it has none. */
export function noteOf(custom: Nullable<CustomData>): string {
  const note: unknown = custom?.note;
  return typeof note === 'string' ? note : '';
}

/**
 * The links in a cell's text.
 * @param value - what the cell holds: where somebody has typed another text, its links are gone
 */
export function linksOf(
  custom: Nullable<CustomData>,
  value: Nullable<ICellData['v']>,
): readonly Run[] | null {
  const links: unknown = custom?.links;
  if (!Array.isArray(links) || custom?.linked !== value) return null;
  return links.filter(isRun);
}

/** The address of the page that a link opens; undefined where it leads to anything but a page. */
export function pageOf(link: string | null): string | undefined {
  if (link === null || !URL.canParse(link)) return undefined;
  const { protocol, href } = new URL(link);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}

/** What a cell keeps: its note, and the text whose links it has, where it has any. */
export function extras(note: string, linked: RichText | null): CustomData {
  if (note === '' && linked === null) return null;
  return {
    ...(note === '' ? {} : { note }),
    ...(linked === null ? {} : { links: linked.runs, linked: linked.text }),
  };
}

function isRun(value: unknown): value is Run {
  return typeof value === 'object' && value !== null && 'start' in value && 'end' in value && 'link' in value;
}
