// The origin of rows: when they were retrieved, whether they were bought or cached, and their price.
import type { Provenance } from '../../server/api/index.ts';
import { dateTimeEntry, type Entry, textEntry } from '../../sheet/entries.ts';
import type { ColumnRole, NewColumn } from '../registry.ts';

/** The origin of a row. */
export interface Origin {
  /** ISO 8601; undefined if unknown. */
  retrievedAt: string | undefined;
  source: string;
  credits: number;
}

/** Lists the origin columns, if columns were chosen. */
export function listOriginColumns(provenance: Provenance): NewColumn[] {
  if (provenance !== 'columns') return [];
  return [
    { role: 'retrieved', path: '', heading: 'Retrieved at' },
    { role: 'source', path: '', heading: 'Source' },
    { role: 'credits', path: '', heading: 'Credits' },
  ];
}

/** Returns the origin entry of a column; undefined for other roles. */
export function toOriginEntry(role: ColumnRole, { retrievedAt, source, credits }: Origin): Entry | undefined {
  if (role === 'retrieved') {
    return retrievedAt === undefined ? textEntry('') : dateTimeEntry(new Date(retrievedAt));
  }
  if (role === 'source') return textEntry(source);
  return role === 'credits' ? { cell: credits, format: '' } : undefined;
}

/** Formats the origin as a note. */
export function formatOriginNote({ retrievedAt, source, credits }: Origin): string {
  const when =
    retrievedAt === undefined ? '' : `Retrieved ${retrievedAt.slice(0, 16).replace('T', ' ')} UTC, `;
  return `${when}${source}, ${credits} ${credits === 1 ? 'credit' : 'credits'}`;
}
