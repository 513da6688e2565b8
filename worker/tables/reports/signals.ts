// Names the changes of a refresh: new records that match, and values that people want to know about.
import { type Family, families } from '../../../shared/families/index.ts';

/** A changed cell, or a new row. */
export interface RowEvent {
  /** Record id. */
  record: string;
  /** Index of the table's column; undefined for a new row. */
  column?: number;
  before: string | number | boolean;
  after: string | number | boolean;
}

const NEW: Readonly<Record<string, string>> = {
  company: 'New company',
  employee: 'New person',
  job: 'New job posting',
};

/** Signals of changed fields of people, by path. */
const PERSON_SIGNALS: readonly [RegExp, string][] = [
  [/title|headline|position/i, 'New title'],
  [/company|experience/i, 'New job'],
];

/**
 * Names a change.
 * @param path - field of the changed column; undefined for a new row
 */
export function nameSignal(family: Family, path: string | undefined): string {
  const { subject } = families[family];
  if (path === undefined) return (family.startsWith('job') ? NEW.job : NEW[subject]) ?? 'New record';
  if (subject !== 'employee') return 'Changed';
  return PERSON_SIGNALS.find(([pattern]) => pattern.test(path))?.[1] ?? 'Changed';
}

/** Formats counts of signals for an alert: `2 × New company, 1 × New title`. */
export function formatSignals(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([signal, count]) => `${count} × ${signal}`).join(', ');
}
