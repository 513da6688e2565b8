// Erases people and companies from the answers that an object has fetched: their own copies in KV, and answers about others.
import { MIN_TTL_S, parseFamily, retryKvWrite } from '../../cache/cache-keys.ts';
import type { Content } from '../../cache/content.ts';
import { decodeEnvelope, type Envelope, encodeEnvelope } from '../../cache/envelope.ts';
import { listRecordKeys, type SubjectKey, toKeyText } from '../../refusal-list/named-subjects.ts';
import { toIdReference, toReference } from '../../refusal-list/pseudonyms.ts';
import { stripContent } from '../../refusal-list/strip-content.ts';
import type { Outbox } from '../outbox.ts';
import type { ErasedCopies, EraseRequest, FoundKeys } from '../service.ts';
import type { Copy } from '../storage/answer-repository.ts';
import type { SingleFlightStore } from '../storage/store.ts';

/** Answers and copies of one call: an invocation of an object may make a thousand KV operations. */
const LIMIT = 100;

const isPage = (name: string): boolean => name.startsWith('preview:') || name.startsWith('search:');

/** The parts of a single-flight object that an erasure uses. */
interface EraserContext {
  store: SingleFlightStore;
  outbox: Pick<Outbox, 'waitForWrites'>;
  kv: KVNamespace;
  now: () => number;
  sleep: (ms: number) => Promise<void>;
}

/** Lists the keys of the record in an answer; none for a page. @param name - the answer's cache name */
function listAnswerKeys(name: string, envelope: Envelope | undefined): SubjectKey[] {
  const family = parseFamily(name);
  return family !== undefined && envelope?.content.kind === 'record'
    ? listRecordKeys(family, envelope.content.record.value)
    : [];
}

async function readCopy(
  { kvEntries: [entry] }: Copy,
  { kv, now }: Pick<EraserContext, 'kv' | 'now'>,
): Promise<Envelope | undefined> {
  const text = entry === undefined ? null : await kv.get(entry.kvKey, 'text');
  return text === null ? undefined : decodeEnvelope(text, now());
}

/** Erases the same keys from the answers and copies of one object. */
class CopyEraser {
  readonly #context: EraserContext;
  readonly #erased: ReadonlySet<string>;
  readonly references: readonly string[];
  readonly result = { kv: 0, pages: 0, mentions: 0, refused: [] as string[] };

  constructor({ keys, pseudonyms }: EraseRequest, context: EraserContext) {
    this.#context = context;
    this.#erased = new Set(keys.map(toKeyText));
    const ids = keys.filter(({ kind }) => kind === 'id').map(toIdReference);
    this.references = [...pseudonyms.map(toReference), ...ids];
  }

  #strip(name: string, { content }: Envelope): Content | undefined {
    const family = parseFamily(name);
    return family && stripContent(family, content, (key) => this.#erased.has(toKeyText(key)));
  }

  /** Deletes a copy of an erased record with its aliases, and then its index entry. */
  async deleteCopy(copy: Copy): Promise<void> {
    const { store } = this.#context;
    for (const { kvKey } of copy.kvEntries) await this.#deleteFromKv(kvKey);
    store.answers.deleteCopy(copy);
    this.result.kv += copy.kvEntries.length;
    this.result.pages += isPage(copy.name) ? 1 : 0;
  }

  /** Strips a copy. Deletes it if it belonged to somebody erased. */
  async stripCopy(copy: Copy): Promise<void> {
    const read = await readCopy(copy, this.#context);
    // A younger answer has its own index entry, and was stripped before it was stored.
    const envelope = (read?.fetchedAt ?? 0) > copy.fetchedAt ? undefined : read;
    const content = envelope && this.#strip(copy.name, envelope);
    if (envelope !== undefined && content === undefined) {
      this.#refuseRecord(copy);
      return this.deleteCopy(copy);
    }
    const [entry] = copy.kvEntries;
    const isChanged = content !== envelope?.content;
    if (envelope !== undefined && content !== undefined && isChanged && entry !== undefined) {
      await this.#putIntoKv(entry.kvKey, { ...envelope, content });
      this.result.mentions += 1;
    }
    this.#context.store.answers.removeReferences('copies', copy, this.references);
  }

  /** Strips an answer that is stored here, and then its copy. */
  async stripAnswer(copy: Copy): Promise<void> {
    const { store, outbox, now } = this.#context;
    const { answers } = store;
    const {
      name,
      kvEntries: [entry],
    } = copy;
    const stored = answers.find(name);
    // It has become a copy, which is stripped next, or a younger answer, which was stripped before it was stored.
    if (stored?.fetchedAt !== copy.fetchedAt) return;
    const envelope = decodeEnvelope(stored.text, now());
    const content = envelope && this.#strip(name, envelope);
    if (envelope === undefined || content === undefined) {
      // An expired answer says nothing about whose it was.
      if (envelope !== undefined) this.#refuseRecord(copy);
      answers.moveToCopies([name]);
      // A write of it may be under way. It is not read from KV, which may not show a young entry yet.
      await outbox.waitForWrites();
      return this.deleteCopy(copy);
    }
    const stripped = { ...envelope, content };
    if (content !== envelope.content) {
      answers.replaceText(name, encodeEnvelope(stripped));
      this.result.mentions += 1;
    }
    // A write of the old text may be under way.
    await outbox.waitForWrites();
    // Also if the text names nobody: an earlier attempt may have failed here.
    if (entry !== undefined) await this.#putIntoKv(entry.kvKey, stripped);
    answers.removeReferences('answers', copy, this.references);
  }

  /** Refuses a record that belonged to somebody erased, such as a post. Its calls always come to this object. */
  #refuseRecord({ pseudonyms }: Copy): void {
    this.#context.store.addErasedKeys(pseudonyms.flat());
    this.result.refused.push(...pseudonyms.flat());
  }

  /** Another object may delete the same entry at the same time, which makes KV refuse one of the two. */
  async #deleteFromKv(kvKey: string): Promise<void> {
    const { kv, sleep } = this.#context;
    let isRetry = false;
    await retryKvWrite(async () => {
      if (isRetry && (await kv.get(kvKey)) === null) return;
      isRetry = true;
      await kv.delete(kvKey);
    }, sleep);
  }

  async #putIntoKv(kvKey: string, envelope: Envelope): Promise<void> {
    const { kv, now, sleep } = this.#context;
    const expiration = Math.floor(envelope.keepUntil / 1000);
    if (envelope.keepUntil - now() <= MIN_TTL_S * 1000) await this.#deleteFromKv(kvKey);
    else await retryKvWrite(() => kv.put(kvKey, encodeEnvelope(envelope), { expiration }), sleep);
  }
}

/**
 * Finds the other keys of people and companies in their own records. Changes nothing, so that a repeated call finds them again.
 * @throws if KV can't be reached
 */
export async function findKeys(
  { pseudonyms, names }: EraseRequest,
  context: EraserContext,
): Promise<FoundKeys> {
  const { answers } = context.store;
  const found: FoundKeys = { keys: [], pseudonyms: [] };
  const erased = new Set(pseudonyms);
  const addPseudonyms = (copy: Copy): void => {
    for (const keys of copy.pseudonyms)
      if (keys.some((key) => erased.has(key))) found.pseudonyms.push(...keys);
  };
  const copies = answers.listOfSubject('copies', pseudonyms, names);
  for (const answer of answers.listOfSubject('answers', pseudonyms, names)) {
    addPseudonyms(answer);
    const stored = answers.find(answer.name);
    found.keys.push(...listAnswerKeys(answer.name, stored && decodeEnvelope(stored.text, context.now())));
  }
  for (const copy of copies) {
    addPseudonyms(copy);
    if (isPage(copy.name)) continue;
    found.keys.push(...listAnswerKeys(copy.name, await readCopy(copy, context)));
  }
  return found;
}

/**
 * Erases people and companies from copies in KV and from answers about others. New answers are stripped before they are
 * stored, so the object must refuse the keys already.
 * @returns the number of erased copies; a repeated call continues if some are left
 * @throws if KV can't be reached; a repeated call continues
 */
export async function eraseCopies(
  request: EraseRequest,
  context: EraserContext,
): Promise<Omit<ErasedCopies, 'answers'>> {
  const { answers } = context.store;
  const eraser = new CopyEraser(request, context);
  const naming = answers.listNaming('answers', eraser.references, LIMIT);
  for (const answer of naming) await eraser.stripAnswer(answer);
  await context.outbox.waitForWrites();
  const own = answers.listOfSubject('copies', request.pseudonyms, request.names, LIMIT);
  for (const copy of own) await eraser.deleteCopy(copy);
  const others = answers.listNaming('copies', eraser.references, LIMIT);
  for (const copy of others) await eraser.stripCopy(copy);
  const isDone = [naming, own, others].every(({ length }) => length < LIMIT);
  return { ...eraser.result, isDone };
}
