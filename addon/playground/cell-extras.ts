// What a cell holds beside its value and the grid does not know: its note, and the links in its text.
import type { CustomData, Nullable } from '@univerjs/core';
import type { Run } from '../host/types.ts';

/** The note of a cell, '' where it has none. */
export function noteOf(custom: Nullable<CustomData>): string {
  const note: unknown = custom?.note;
  return typeof note === 'string' ? note : '';
}

/** The links in a cell's text. */
export function linksOf(custom: Nullable<CustomData>): readonly Run[] | null {
  const links: unknown = custom?.links;
  return Array.isArray(links) ? links.filter(isRun) : null;
}

/** What a cell keeps: its note, and links where it has any. */
export function extras(note: string, links: readonly Run[] | null): CustomData {
  if (note === '' && links === null) return null;
  return { ...(note === '' ? {} : { note }), ...(links === null ? {} : { links }) };
}

function isRun(value: unknown): value is Run {
  return typeof value === 'object' && value !== null && 'start' in value && 'end' in value && 'link' in value;
}
