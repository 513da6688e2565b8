// What a flight tells others when a call has ended: the ledger, the gate, KV, and the flights of the record's other keys.
import { logError } from '../../http/log.ts';
import type { Settlement } from '../ledger/types.ts';
import type { Report } from '../provider-throttle/types.ts';
import type { KvWrite, StoredAnswer } from './storage/answer-repository.ts';
import type { SingleFlightStore } from './storage/store.ts';

/** Whom it tells. */
export interface OutboxPlatform {
  settle: (team: string, settlements: Settlement[]) => Promise<void>;
  report: (reports: Report[]) => Promise<void>;
  /** Writes to KV. */
  write: (write: KvWrite) => Promise<void>;
  /** Tells the flight that is asked under this name. */
  publish: (identity: string, name: string, kept: StoredAnswer) => Promise<void>;
  after: (ms: number) => Promise<void>;
  /** Keeps the object alive for work that outlives an answer. */
  background: (work: Promise<void>) => void;
  /** Says that something was left to be done later. */
  retryLater: () => void;
}

interface PendingPublication {
  identity: string;
  name: string;
  kept: StoredAnswer;
}

/** Calls that end close together are told of together: every telling costs the others a write. */
const GATHER_MS = 20;
/**
 * What was told is noted in the next write; where none comes in this time, by itself. If the object ends before, it is told
 * again.
 */
const NOTE_MS = 1_000;
/** What is larger is not passed on to other flights: they keep no more than a few such. */
const LESSON_MAX_SIZE = 600_000;

/** Tells in the background, and what could not be told again later. */
export class Outbox {
  readonly #store: SingleFlightStore;
  readonly #platform: OutboxPlatform;
  #reports: Report[];
  #lessons: PendingPublication[] = [];
  #gathering = false;
  /** Those who are being told, and whether there is more to tell them. */
  readonly #telling = { ledgers: false, others: false };
  readonly #more = { ledgers: false, others: false };
  #storing = false;
  #noting = false;
  /** How often it was noted what was told. */
  #notes = 0;
  /** Answers that KV may not have, and when they were fetched. */
  readonly #unstored: Map<string, number>;
  /** The write on its way to KV. */
  #writing: Promise<unknown> = Promise.resolve();
  /** Settlements that their ledgers have heard, and answers that KV has, of which the store does not know yet. */
  readonly #told = new Map<string, Settlement>();
  readonly #stored = new Map<string, number>();

  constructor(store: SingleFlightStore, platform: OutboxPlatform) {
    this.#store = store;
    this.#platform = platform;
    this.#unstored = new Map(store.answers.listUnwritten().map(({ name, fetchedAt }) => [name, fetchedAt]));
    this.#reports = store.lostCalls.map(({ team, id, credits, grantedAt }) => ({
      // That we ended says nothing of the provider.
      outcome: 'unused',
      charged: 0,
      unclear: credits,
      unclearReservations: [{ team, id, credits }],
      ...(grantedAt === undefined ? {} : { grantedAt }),
    }));
  }

  /** Takes a report for the gate. */
  report(report: Report): void {
    this.#reports.push(report);
    this.flush();
  }

  /** Returns a permit of the throttle that no call used. */
  returnPermit(grantedAt: number | undefined): void {
    const grant = grantedAt === undefined ? {} : { grantedAt };
    this.report({ outcome: 'unused', charged: 0, unclear: 0, ...grant });
  }

  /** Takes an answer that the store has, for KV and for the flights of the record's other names. */
  addAnswer(
    name: string,
    answer: StoredAnswer,
    others: { identity: string; names: readonly string[] },
  ): void {
    const { text, fetchedAt, pseudonyms } = answer;
    this.#unstored.delete(name);
    this.#unstored.set(name, fetchedAt);
    if (text.length > LESSON_MAX_SIZE) return;
    const { identity, names } = others;
    const kept = { text, fetchedAt, pseudonyms };
    for (const other of names) this.#platform.background(this.#teach({ identity, name: other, kept }));
  }

  /** At once: whoever gets this answer may ask for the record by another name in the next moment. */
  async #teach(lesson: PendingPublication): Promise<void> {
    try {
      await this.#platform.publish(lesson.identity, lesson.name, lesson.kept);
    } catch (error) {
      logError('peer_publish_failed', error);
      this.#lessons.push(lesson);
      this.#platform.retryLater();
    }
  }

  /** Tells what there is to tell, as soon as those who wait have their answers. */
  flush(): void {
    if (!this.#gathering) {
      this.#gathering = true;
      this.#platform.background(this.#gather());
    }
    if (!this.#storing) {
      this.#storing = true;
      this.#platform.background(this.#storeAway());
    }
  }

  async #gather(): Promise<void> {
    await this.#platform.after(GATHER_MS);
    this.#gathering = false;
    this.#start('ledgers', () => this.#tellLedgers());
    this.#start('others', () => this.#tellOthers());
  }

  /** Ledgers take their time: nobody else waits for them. */
  #start(whom: 'ledgers' | 'others', tell: () => Promise<unknown>[]): void {
    this.#more[whom] = true;
    if (this.#telling[whom]) return;
    this.#telling[whom] = true;
    this.#platform.background(this.#tell(whom, tell));
  }

  /** @returns what a ledger has still to be told, for one who speaks to it anyway; told when `heard` is called */
  getPendingSettlements(team: string): { settlements: Settlement[]; heard: () => void } {
    const settlements = this.#untold().get(team) ?? [];
    return { settlements, heard: () => this.#heard(settlements) };
  }

  /** Notes what was told and what KV has. For those who write anyway: a write costs as much as all else together. */
  recordDeliveries(): void {
    this.#notes += 1;
    if (this.#told.size > 0) this.#store.deleteSettlements([...this.#told.values()]);
    this.#told.clear();
    for (const [name, fetchedAt] of this.#stored) this.#store.answers.markWritten(name, fetchedAt);
    this.#stored.clear();
  }

  /** Resolves when nothing that was forgotten meanwhile can reach KV any more. */
  async waitForWrites(): Promise<void> {
    await this.#writing;
  }

  #noteSoon(): void {
    if (this.#noting || this.#told.size + this.#stored.size === 0) return;
    this.#noting = true;
    this.#platform.background(this.#noteLater());
  }

  async #noteLater(): Promise<void> {
    // Where something was noted meanwhile, what is left is younger and waits for the next write in its turn.
    for (let before = -1; before !== this.#notes && this.#told.size + this.#stored.size > 0; ) {
      before = this.#notes;
      await this.#platform.after(NOTE_MS);
    }
    this.#noting = false;
    this.recordDeliveries();
  }

  #heard(settlements: readonly Settlement[]): void {
    for (const settlement of settlements) this.#told.set(settlement.id, settlement);
    this.#noteSoon();
  }

  #untold(): Map<string, Settlement[]> {
    const teams = [...this.#store.listSettlements()].map(([team, all]) => {
      const own = all.filter(({ id }) => !this.#told.has(id));
      return [team, own] as const;
    });
    return new Map(teams.filter(([, own]) => own.length > 0));
  }

  async #tell(whom: 'ledgers' | 'others', tell: () => Promise<unknown>[]): Promise<void> {
    try {
      while (this.#more[whom]) {
        this.#more[whom] = false;
        const told = await Promise.allSettled(tell());
        const failed = told.filter((result) => result.status === 'rejected');
        for (const { reason } of failed) logError('outbox_delivery_failed', reason);
        if (failed.length > 0) {
          this.#platform.retryLater();
          return;
        }
      }
    } finally {
      this.#telling[whom] = false;
    }
  }

  #tellLedgers(): Promise<unknown>[] {
    return [...this.#untold()].map(async ([team, settlements]) => {
      await this.#platform.settle(team, settlements);
      this.#heard(settlements);
    });
  }

  #tellOthers(): Promise<unknown>[] {
    const reports = this.#reports.splice(0);
    const lessons = this.#lessons.splice(0);
    return [
      ...(reports.length > 0 ? [this.#platform.report(reports)] : []),
      ...lessons.map(({ identity, name, kept }) => this.#platform.publish(identity, name, kept)),
    ];
  }

  async #storeAway(): Promise<void> {
    await Promise.resolve();
    let failed = false;
    // What is remembered meanwhile comes last.
    for (const [name, fetchedAt] of this.#unstored) {
      try {
        await this.#writeAll(name, fetchedAt);
        if (this.#unstored.get(name) === fetchedAt) this.#unstored.delete(name);
        this.#stored.set(name, fetchedAt);
      } catch (error) {
        logError('cache_write_failed', error);
        failed = true;
      }
    }
    this.#storing = false;
    this.#noteSoon();
    if (failed) this.#platform.retryLater();
  }

  async #writeAll(name: string, fetchedAt: number): Promise<void> {
    const { answers } = this.#store;
    // One after the other: the flight's calls need the other connections.
    for (const write of answers.getKvWrites(name, fetchedAt)) {
      // It may have been erased meanwhile.
      if (!answers.has(name, fetchedAt)) return;
      const writing = this.#platform.write(write);
      this.#writing = writing.catch(() => {});
      await writing;
    }
  }
}
