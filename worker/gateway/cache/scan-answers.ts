// Reads all cached answers of a provider in KV, part by part, for searches that no index serves.
import { listKvPrefixes } from './cache-keys.ts';
import { decodeEnvelope, type Envelope } from './envelope.ts';
import { readKvTexts } from './kv-texts.ts';

/** Each batch may take 25 MB, and an isolate has 128 MB in total. */
const CONCURRENCY = 2;

/** KV keys of answers, with the cache names in them. */
interface AnswerNames {
  /** Cache names by KV key. */
  names: ReadonlyMap<string, string>;
  /** Cursor of the next part; null at the end. */
  after: string | null;
}

/**
 * Lists up to a thousand answers. An entry may be an alias of another one.
 * @param after - cursor of the previous part; '' for the first
 * @throws if KV can't be reached
 */
export async function listAnswers(kv: KVNamespace, identity: string, after: string): Promise<AnswerNames> {
  const [place = '', ...cursor] = after.split(' ');
  const prefixes = listKvPrefixes(identity);
  const at = Number(place);
  const prefix = prefixes[at] ?? '';
  const list = await kv.list({ prefix, cursor: cursor.join(' ') || null });
  const names = new Map(list.keys.map(({ name }) => [name, name.slice(prefix.length)]));
  if (!list.list_complete) return { names, after: `${at} ${list.cursor}` };
  return { names, after: at + 1 < prefixes.length ? String(at + 1) : null };
}

/**
 * Reads listed answers. Aliases are skipped: their records are listed, too.
 * @param onAnswer - receives the cache name and the answer
 * @throws if KV can't be reached
 */
export async function readAnswers(
  kv: KVNamespace,
  { names }: Pick<AnswerNames, 'names'>,
  now: number,
  onAnswer: (name: string, envelope: Envelope) => void,
): Promise<void> {
  const onText = (kvKey: string, text: string): void => {
    const envelope = decodeEnvelope(text, now);
    if (envelope !== undefined) onAnswer(names.get(kvKey) ?? '', envelope);
  };
  const { unreadable, errors } = await readKvTexts(kv, [...names.keys()], CONCURRENCY, onText);
  if (unreadable.length > 0) throw errors.at(-1);
}
