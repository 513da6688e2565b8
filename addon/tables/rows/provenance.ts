// What says where a row comes from: when it was retrieved, whether it was bought or remembered, and for how many credits.
import type { Provenance } from '../../server/api/index.ts';
import { dateTimeEntry, type Entry, textEntry } from '../../sheet/entries.ts';
import type { ColumnRole, TableColumn } from '../registry.ts';

/** Where one row comes from. */
export interface Origin {
  /** ISO 8601; undefined where nobody knows. */
  retrievedAt: string | undefined;
  source: string;
  credits: number;
}

/** The columns that say so, where columns were asked for. */
export function listOriginColumns(provenance: Provenance): TableColumn[] {
  if (provenance !== 'columns') return [];
  return [
    { role: 'retrieved', path: '', heading: 'Retrieved at' },
    { role: 'source', path: '', heading: 'Source' },
    { role: 'credits', path: '', heading: 'Credits' },
  ];
}

/** What a column says of an origin; undefined for a column of another role. */
export function toOriginEntry(role: ColumnRole, { retrievedAt, source, credits }: Origin): Entry | undefined {
  if (role === 'retrieved') {
    return retrievedAt === undefined ? textEntry('') : dateTimeEntry(new Date(retrievedAt));
  }
  if (role === 'source') return textEntry(source);
  return role === 'credits' ? { cell: credits, format: '' } : undefined;
}

/** What a note says of an origin. */
export function formatOriginNote({ retrievedAt, source, credits }: Origin): string {
  const when =
    retrievedAt === undefined ? '' : `Retrieved ${retrievedAt.slice(0, 16).replace('T', ' ')} UTC, `;
  return `${when}${source}, ${credits} ${credits === 1 ? 'credit' : 'credits'}`;
}
