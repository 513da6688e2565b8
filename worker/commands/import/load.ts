// Imports a file of records into a running instance.
import type { Family } from '../../../shared/families/index.ts';
import { formatNumber } from '../../../shared/lib/format-count.ts';
import type { Heading } from '../../sandbox/import/company-records.ts';
import type { ImportResult } from '../../sandbox/record-routes.ts';
import type { Session } from '../instance/session.ts';
import { UserError } from '../user-error.ts';
import { readRecords } from './read.ts';
import { RecordSender } from './send.ts';
import type { TableHead } from './table-head.ts';

const PROGRESS_EVERY = 500;

export interface ImportOptions {
  file: string;
  /** See `ReadOptions`. */
  family?: Family | undefined;
  map?: ReadonlyMap<string, Heading> | undefined;
  /** Receives progress lines. */
  log: (line: string) => void;
  signal?: AbortSignal | undefined;
}

/**
 * Imports a file into a running instance.
 * @returns the head of a CSV file, counts, each refused line once and in ascending order, and websites that several records share
 * @throws UserError if the file is unreadable or contains no records
 */
export async function importFile(session: Session, options: ImportOptions) {
  const { file, family, map = new Map(), log, signal } = options;
  const counts = new Map<Family, { added: number; changed: number; unchanged: number }>();
  const shared = new Map<Family, Map<string, string[]>>();
  // One row can create two records but counts as one line.
  const refused = new Map<number, string>();
  const rejectLine = (line: number, reason: string): void => {
    if (!refused.has(line)) refused.set(line, reason);
  };
  const addResult = (recordFamily: Family, result: ImportResult, lines: readonly number[]): void => {
    const { added, changed, unchanged } = counts.get(recordFamily) ?? { added: 0, changed: 0, unchanged: 0 };
    counts.set(recordFamily, {
      added: added + result.added,
      changed: changed + result.changed,
      unchanged: unchanged + result.unchanged,
    });
    const websites = result.shared_websites.map(({ website, ids }) => [website, ids] as const);
    shared.set(recordFamily, new Map([...(shared.get(recordFamily) ?? []), ...websites]));
    for (const { index, reason } of result.refused) rejectLine(lines[index] ?? 0, reason);
  };
  const sender = new RecordSender(session, addResult, signal);
  let head: TableHead | undefined;
  const lineByRecord = new Map<string, number>();
  let recordCount = 0;
  const onHead = (found: TableHead): void => {
    head = found;
  };
  for await (const item of readRecords({ file, family, map, onHead })) {
    if ('refused' in item) {
      rejectLine(item.line, item.refused);
      continue;
    }
    const name = `${item.family} ${item.id}`;
    const earlierLine = lineByRecord.get(name);
    if (earlierLine !== undefined) {
      rejectLine(item.line, `its id is already in line ${earlierLine}`);
      continue;
    }
    lineByRecord.set(name, item.line);
    await sender.add(item.family, item.record, item.line);
    recordCount += 1;
    if (recordCount % PROGRESS_EVERY === 0) log(`${formatNumber(recordCount)} records …`);
  }
  await sender.flush();
  if (recordCount === 0 && refused.size === 0) throw new UserError(`${file} contains no records.`);
  const byLine = [...refused].sort(([first], [second]) => first - second);
  return { head, counts, refused: byLine.map(([line, reason]) => ({ line, reason })), shared };
}
export type ImportReport = Awaited<ReturnType<typeof importFile>>;
