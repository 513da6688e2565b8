// What a flight tells others when a call has ended: the ledger, the gate, KV, and the flights of the record's other keys.
import type { Report } from '../gate/types.ts';
import type { Settlement } from '../ledger/types.ts';
import type { FlightStore, KeptAnswer, Write } from './store.ts';

/** Whom it tells. */
export interface OutboxEdges {
  settle: (team: string, settlements: Settlement[]) => Promise<void>;
  report: (reports: Report[]) => Promise<void>;
  /** Writes to KV. */
  write: (write: Write) => Promise<void>;
  /** Tells the flight that is asked under this name. */
  teach: (identity: string, name: string, kept: KeptAnswer) => Promise<void>;
  after: (ms: number) => Promise<void>;
  /** Keeps the object alive for work that outlives an answer. */
  background: (work: Promise<void>) => void;
  /** Says that something was left to be done later. */
  later: () => void;
}

const BATCH = 100;
/** Calls that end close together are told of together: every telling costs the others a write. */
const GATHER_MS = 20;

function log(event: string, error: unknown): void {
  console.error(JSON.stringify({ event, error: error instanceof Error ? error.name : 'unknown' }));
}

/** Tells in the background, and what could not be told again later. */
export class Outbox {
  readonly #store: FlightStore;
  readonly #edges: OutboxEdges;
  #reports: Report[] = [];
  #lessons: { identity: string; name: string; kept: KeptAnswer }[] = [];
  #telling = false;
  #storing = false;
  /** Settlements that their ledgers have heard, which the store does not know yet. */
  readonly #told = new Map<string, Settlement>();

  constructor(store: FlightStore, edges: OutboxEdges) {
    this.#store = store;
    this.#edges = edges;
  }

  /** Takes a report for the gate. */
  report(report: Report): void {
    this.#reports.push(report);
    this.flush();
  }

  /** Takes a lesson for other flights. */
  teach(identity: string, names: readonly string[], kept: KeptAnswer): void {
    for (const name of names) this.#lessons.push({ identity, name, kept });
  }

  /** Tells what there is to tell, as soon as those who wait have their answers. */
  flush(): void {
    if (!this.#telling) {
      this.#telling = true;
      this.#edges.background(this.#tell());
    }
    if (!this.#storing) {
      this.#storing = true;
      this.#edges.background(this.#storeAway());
    }
  }

  /** @returns what a ledger has still to be told, for one who speaks to it anyway; told when `heard` is called */
  owedTo(team: string): { settlements: Settlement[]; heard: () => void } {
    const settlements = this.#untold().get(team) ?? [];
    return { settlements, heard: () => this.#heard(settlements) };
  }

  #heard(settlements: readonly Settlement[]): void {
    for (const settlement of settlements) this.#told.set(settlement.id, settlement);
  }

  #untold(): Map<string, Settlement[]> {
    const teams = [...this.#store.settlements()].map(([team, all]) => {
      const own = all.filter(({ id }) => !this.#told.has(id));
      return [team, own] as const;
    });
    return new Map(teams.filter(([, own]) => own.length > 0));
  }

  /** One write notes what was told and what KV has. */
  #note(stored: readonly { name: string; fetchedAt: number }[] = []): void {
    if (this.#told.size > 0) this.#store.told([...this.#told.values()]);
    this.#told.clear();
    for (const { name, fetchedAt } of stored) this.#store.stored(name, fetchedAt);
  }

  async #tell(): Promise<void> {
    try {
      for (;;) {
        await this.#edges.after(GATHER_MS);
        const reports = this.#reports.splice(0);
        const lessons = this.#lessons.splice(0);
        const settlements = this.#untold();
        if (reports.length + lessons.length + settlements.size === 0) return;
        const work = [
          ...[...settlements].map(async ([team, own]) => {
            await this.#edges.settle(team, own);
            this.#heard(own);
          }),
          ...(reports.length > 0 ? [this.#edges.report(reports)] : []),
          ...lessons.map(({ identity, name, kept }) => this.#edges.teach(identity, name, kept)),
        ];
        const failed = (await Promise.allSettled(work)).find(({ status }) => status === 'rejected');
        if (failed?.status === 'rejected') {
          log('not_told', failed.reason);
          this.#edges.later();
          return;
        }
      }
    } finally {
      this.#telling = false;
      if (!this.#storing) this.#note();
    }
  }

  async #storeAway(): Promise<void> {
    await Promise.resolve();
    try {
      for (;;) {
        const batch = this.#store.unstored(BATCH);
        if (batch.length === 0) return;
        let failed = false;
        const stored: { name: string; fetchedAt: number }[] = [];
        for (const { name, fetchedAt, writes } of batch) {
          try {
            // One after the other: the flight's calls need the other connections.
            for (const write of writes) await this.#edges.write(write);
            stored.push({ name, fetchedAt });
          } catch (error) {
            log('not_remembered', error);
            failed = true;
          }
        }
        this.#note(stored);
        if (failed) {
          this.#edges.later();
          return;
        }
      }
    } finally {
      this.#storing = false;
      if (!this.#telling) this.#note();
    }
  }
}
