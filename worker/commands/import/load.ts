// Loads a file of records into a running instance and counts what became of them.
import type { Family } from '../../../shared/families/index.ts';
import type { Heading } from '../../sandbox/import/company-records.ts';
import type { Session } from '../instance/session.ts';
import { UserError } from '../user-error.ts';
import { readRecords } from './read.ts';
import { Sender } from './send.ts';

const PROGRESS_EVERY = 500;

/** What an import did. */
export interface ImportReport {
  /** By family. */
  counts: Map<Family, { added: number; changed: number; unchanged: number }>;
  /** Each line once, in their order. */
  refused: { line: number; reason: string }[];
  /** Websites of several records, by family. */
  shared: Map<Family, Map<string, string[]>>;
}

/** What is loaded. */
export interface LoadOptions {
  file: string;
  /** See `ReadOptions`. */
  family?: Family;
  map?: ReadonlyMap<string, Heading>;
  /** Told about progress, a line each time. */
  log: (line: string) => void;
}

/**
 * Loads a file into a running instance.
 * @param session - of the instance
 * @returns counts, and every line that was refused with its reason
 * @throws UserError where the file can't be read as records, or holds none
 */
export async function importFile(session: Session, options: LoadOptions): Promise<ImportReport> {
  const { file, family, map = new Map(), log } = options;
  const counts: ImportReport['counts'] = new Map();
  const shared: ImportReport['shared'] = new Map();
  // A row that makes two records is one line all the same.
  const refused = new Map<number, string>();
  const refuse = (line: number, reason: string): void => {
    if (!refused.has(line)) refused.set(line, reason);
  };
  const senders = new Map<Family, Sender<number>>();
  const senderOf = (wanted: Family): Sender<number> => {
    const existing = senders.get(wanted);
    if (existing !== undefined) return existing;
    const count = { added: 0, changed: 0, unchanged: 0 };
    const websites = new Map<string, string[]>();
    counts.set(wanted, count);
    shared.set(wanted, websites);
    const sender = new Sender<number>(session, wanted, (answer, lines) => {
      count.added += answer.added;
      count.changed += answer.changed;
      count.unchanged += answer.unchanged;
      for (const { website, ids } of answer.shared_websites) websites.set(website, ids);
      for (const { index, reason } of answer.refused) refuse(lines[index] ?? 0, reason);
    });
    senders.set(wanted, sender);
    return sender;
  };
  const seen = new Map<string, number>();
  let read = 0;
  const lines = readRecords({
    file,
    ...(family === undefined ? {} : { family }),
    map,
    onIgnored: (headings) => {
      if (headings.length > 0) log(`Ignored headings: ${headings.join(', ')}`);
    },
  });
  for await (const item of lines) {
    if ('refused' in item) {
      refuse(item.line, item.refused);
      continue;
    }
    const name = `${item.family} ${item.id}`;
    const earlier = seen.get(name);
    if (earlier !== undefined) {
      refuse(item.line, `its id stands in line ${earlier} already`);
      continue;
    }
    seen.set(name, item.line);
    await senderOf(item.family).add(item.record, item.line);
    read += 1;
    if (read % PROGRESS_EVERY === 0) log(`${read.toLocaleString('en')} records …`);
  }
  for (const sender of senders.values()) await sender.flush();
  if (read === 0 && refused.size === 0) throw new UserError(`${file} holds no records.`);
  const byLine = [...refused].sort(([one], [other]) => one - other);
  return { counts, refused: byLine.map(([line, reason]) => ({ line, reason })), shared };
}
