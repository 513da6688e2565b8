// Delivers what ended calls leave to do: settlements to ledgers, reports to the throttle, answers to KV and to other objects.
import { logError } from '../../http/log.ts';
import type { Settlement } from '../ledger/types.ts';
import type { Report } from '../provider-throttle/types.ts';
import { type KvWrite, type NewAnswer, type StoredAnswer, toKvWrites } from './storage/answer-repository.ts';
import type { SingleFlightStore } from './storage/store.ts';

/** The receivers of deliveries, and timers. */
export interface OutboxPlatform {
  settle: (team: string, settlements: Settlement[]) => Promise<void>;
  report: (reports: Report[]) => Promise<void>;
  writeToKv: (write: KvWrite) => Promise<void>;
  /** Sends an answer to the object of another cache name. */
  publish: (identity: string, name: string, answer: StoredAnswer) => Promise<void>;
  sleep: (ms: number) => Promise<void>;
  /** Keeps the object alive for work that outlives a response. */
  runInBackground: (work: Promise<void>) => void;
  /** Schedules another attempt after a failed delivery. */
  retryLater: () => void;
}

interface Publication {
  identity: string;
  name: string;
  answer: StoredAnswer;
}

/** Calls that end within this time share their deliveries, because each one costs its receiver a write. */
const BATCH_MS = 20;
/**
 * Deliveries are recorded with the next write of the object, or after this time. If the object ends before, they are
 * repeated.
 */
const RECORD_AFTER_MS = 1_000;
/** Longer answers are not published: an object caches only a few of this length. */
const MAX_PUBLISHED_LENGTH = 600_000;

/** A delivery loop: it runs once at a time, and again if it is requested meanwhile. */
interface DeliveryLoop {
  isRunning: boolean;
  isRequested: boolean;
  deliver: () => Promise<unknown>[];
}

const newLoop = (deliver: DeliveryLoop['deliver']) => ({ isRunning: false, isRequested: false, deliver });

/**
 * Delivers in the background, after the waiters have their answers:
 * - settlements to the ledgers, each of which books it once, until they are confirmed and that is recorded
 * - reports to the throttle, at most once: a second time, it would count charges and permits twice
 * - answers to KV, until they are written and that is recorded
 * - answers to the objects of their records' other cache names, at once and once more after a failure, because KV has them
 *   under these names a minute later
 *
 * After a failure, the alarm of the object calls `flush` again.
 */
export class Outbox {
  readonly #store: SingleFlightStore;
  readonly #platform: OutboxPlatform;
  #isBatching = false;
  /** Separate, because ledgers may be slow. */
  readonly #ledgerLoop: DeliveryLoop = newLoop(() => this.#settleAll());
  readonly #otherLoop: DeliveryLoop = newLoop(() => this.#reportAndPublish());

  #reports: Report[];
  /** Publications that failed. */
  #publications: Publication[] = [];

  /** Answers that KV may not have, and when they were fetched. */
  readonly #unwritten: Map<string, number>;
  /** The answer that was added last, so that it need not be read again. */
  #latest: { name: string; answer: NewAnswer; changes: number } | undefined;
  #isWritingToKv = false;
  #currentWrite: Promise<unknown> = Promise.resolve();

  /** Purchases whose settlements are confirmed, with the cache names of their answers, until KV has these. */
  readonly #settled = new Map<string, string | undefined>();
  /** Answers written to KV that are not recorded in the store yet. */
  readonly #written = new Map<string, number>();
  #isRecording = false;
  /** How often deliveries were recorded. */
  #recordings = 0;

  constructor(store: SingleFlightStore, platform: OutboxPlatform) {
    this.#store = store;
    this.#platform = platform;
    this.#unwritten = new Map(store.answers.listUnwritten().map(({ name, fetchedAt }) => [name, fetchedAt]));
    this.#reports = store.lostCalls.map(({ team, id, credits, grantedAt }) => ({
      // The end of this object says nothing about the provider.
      outcome: 'unused',
      charged: 0,
      unclear: credits,
      unclearReservations: [{ team, id, credits }],
      ...(grantedAt === undefined ? {} : { grantedAt }),
    }));
  }

  /** Adds a report to the throttle. */
  report(report: Report): void {
    this.#reports.push(report);
    this.flush();
  }

  /** Returns a permit of the throttle that no call used. */
  returnPermit(grantedAt: number | undefined): void {
    const grant = grantedAt === undefined ? {} : { grantedAt };
    this.report({ outcome: 'unused', charged: 0, unclear: 0, ...grant });
  }

  /**
   * Adds a stored answer: KV gets it with the next flush, other objects get it at once.
   * @param peers - the other cache names of its record
   */
  addAnswer(name: string, added: NewAnswer, peers: { identity: string; names: readonly string[] }): void {
    const { text, fetchedAt, pseudonyms, references } = added;
    this.#unwritten.delete(name);
    this.#unwritten.set(name, fetchedAt);
    this.#latest = { name, answer: added, changes: this.#store.answers.changes };
    if (text.length > MAX_PUBLISHED_LENGTH) return;
    const answer = { text, fetchedAt, pseudonyms, references };
    for (const peer of peers.names) {
      this.#platform.runInBackground(this.#publish({ identity: peers.identity, name: peer, answer }));
    }
  }

  /** Not batched: the caller may request the record by another key in the next moment. */
  async #publish(publication: Publication): Promise<void> {
    try {
      await this.#platform.publish(publication.identity, publication.name, publication.answer);
    } catch (error) {
      logError('peer_publish_failed', error);
      this.#publications.push(publication);
      this.#platform.retryLater();
    }
  }

  /** Starts to deliver. */
  flush(): void {
    if (!this.#isBatching) {
      this.#isBatching = true;
      this.#platform.runInBackground(this.#deliverBatch());
    }
    if (!this.#isWritingToKv) {
      this.#isWritingToKv = true;
      this.#platform.runInBackground(this.#writeAnswers());
    }
  }

  /**
   * Returns the unconfirmed settlements of a team, to deliver them with another request to its ledger.
   * `confirm` must be called when the ledger has them.
   */
  getPendingSettlements(team: string): { settlements: Settlement[]; confirm: () => void } {
    const settlements = this.#store.listSettlements().get(team) ?? [];
    return { settlements, confirm: () => this.#confirm(settlements) };
  }

  /** Records deliveries in the store. For callers that write anyway, because a write costs as much as everything else. */
  recordDeliveries(): void {
    this.#recordings += 1;
    for (const [id, name] of this.#settled) {
      if (name !== undefined && this.#unwritten.has(name)) continue;
      this.#store.deletePurchase(id);
      this.#settled.delete(id);
    }
    for (const [name, fetchedAt] of this.#written) this.#store.answers.markWritten(name, fetchedAt);
    this.#written.clear();
  }

  /** Resolves when no answer that was erased before this call can reach KV any more. */
  async waitForWrites(): Promise<void> {
    await this.#currentWrite;
  }

  async #deliverBatch(): Promise<void> {
    await this.#platform.sleep(BATCH_MS);
    this.#isBatching = false;
    for (const loop of [this.#ledgerLoop, this.#otherLoop]) {
      loop.isRequested = true;
      if (loop.isRunning) continue;
      loop.isRunning = true;
      this.#platform.runInBackground(this.#run(loop));
    }
  }

  async #run(loop: DeliveryLoop): Promise<void> {
    try {
      while (loop.isRequested) {
        loop.isRequested = false;
        const results = await Promise.allSettled(loop.deliver());
        const failed = results.filter((result) => result.status === 'rejected');
        for (const { reason } of failed) logError('outbox_delivery_failed', reason);
        if (failed.length > 0) {
          this.#platform.retryLater();
          return;
        }
      }
    } finally {
      loop.isRunning = false;
    }
  }

  #settleAll(): Promise<unknown>[] {
    return [...this.#store.listSettlements()].map(async ([team, settlements]) => {
      await this.#platform.settle(team, settlements);
      this.#confirm(settlements);
    });
  }

  #reportAndPublish(): Promise<unknown>[] {
    const reports = this.#reports.splice(0);
    const publications = this.#publications.splice(0);
    return [
      ...(reports.length > 0 ? [this.#platform.report(reports)] : []),
      ...publications.map(({ identity, name, answer }) => this.#platform.publish(identity, name, answer)),
    ];
  }

  #confirm(settlements: readonly Settlement[]): void {
    for (const { id } of settlements) {
      const pending = this.#store.takeSettlement(id);
      if (pending !== undefined) this.#settled.set(id, pending.name);
    }
    this.#recordSoon();
  }

  #recordSoon(): void {
    if (this.#isRecording || this.#settled.size + this.#written.size === 0) return;
    this.#isRecording = true;
    this.#platform.runInBackground(this.#recordLater());
  }

  async #recordLater(): Promise<void> {
    // If deliveries were recorded meanwhile, the remaining ones are younger and wait for the next write in turn.
    for (let before = -1; before !== this.#recordings && this.#settled.size + this.#written.size > 0; ) {
      before = this.#recordings;
      await this.#platform.sleep(RECORD_AFTER_MS);
    }
    this.#isRecording = false;
    this.recordDeliveries();
  }

  async #writeAnswers(): Promise<void> {
    await Promise.resolve();
    let hasFailed = false;
    // The loop also visits answers that are added meanwhile.
    for (const [name, fetchedAt] of this.#unwritten) {
      try {
        await this.#writeAnswer(name, fetchedAt);
        if (this.#unwritten.get(name) === fetchedAt) this.#unwritten.delete(name);
        this.#written.set(name, fetchedAt);
      } catch (error) {
        logError('cache_write_failed', error);
        hasFailed = true;
      }
    }
    this.#isWritingToKv = false;
    this.#recordSoon();
    if (hasFailed) this.#platform.retryLater();
  }

  async #writeAnswer(name: string, fetchedAt: number): Promise<void> {
    const { answers } = this.#store;
    const { changes } = answers;
    // One at a time, because calls need the other connections.
    for (const write of this.#getKvWrites(name, fetchedAt)) {
      // The answer may have been erased during the previous write.
      if (changes !== answers.changes && !answers.has(name, fetchedAt)) return;
      const writing = this.#platform.writeToKv(write);
      this.#currentWrite = writing.catch(() => {});
      await writing;
    }
  }

  #getKvWrites(name: string, fetchedAt: number): KvWrite[] {
    const latest = this.#latest;
    const { answers } = this.#store;
    if (latest?.name !== name || latest.changes !== answers.changes)
      return answers.getKvWrites(name, fetchedAt);
    this.#latest = undefined;
    return toKvWrites(latest.answer);
  }
}
