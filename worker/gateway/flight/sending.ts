// The way of a call whose turn has come: its price is held by the payer's ledger, the last thing before it is sent; what
// is heard is written down before anybody is told.
import type { Content } from '../envelope.ts';
import type { Reservation, Reserved } from '../ledger/types.ts';
import type { Pseudonyms } from '../pseudonym.ts';
import { type Heard, type Signs, send, type Upstream } from '../upstream.ts';
import type { FlightEdges } from './edges.ts';
import { type Ending, isWanted, type Job } from './job.ts';
import type { Outbox } from './outbox.ts';
import { barOf, problemOf, remembering } from './result.ts';
import { type FlightStore, fitsStore, type Write } from './store.ts';
import type { FlightProblem, WantedCall } from './types.ts';

/** A call ends within ten seconds, and with it the hold that others wait for. */
const RESERVE_WAIT_MS = 12_000;
/** A call that failed and cost nothing is sent again within this time, at most so often. */
const RETRY_WITHIN_MS = 15_000;
const MAX_TRIES = 3;
const RETRY_PAUSE_MS = 400;

/** What becomes of a call. */
export interface SendingEdges
  extends Pick<
    FlightEdges,
    | 'now'
    | 'after'
    | 'random'
    | 'newId'
    | 'upstream'
    | 'reserve'
    | 'pseudonyms'
    | 'lifetime'
    | 'write'
    | 'background'
  > {
  /** It has ended for everyone. */
  end: (job: Job, ending: Ending) => void;
  /** Its payer may not pay. */
  refuse: (job: Job, problem: FlightProblem) => void;
  /** It is to be sent again. */
  again: (job: Job) => void;
  /** Its connection is free. */
  release: () => void;
}

/** A price that is held for a call: absent where the call is free. */
interface Hold {
  team: string;
  id?: string;
  /** Credits that the payer may still spend. */
  remaining?: number | null;
}

/** Sends the calls of a flight. */
export class Sending {
  readonly #store: FlightStore;
  readonly #outbox: Outbox;
  readonly #edges: SendingEdges;

  constructor(store: FlightStore, outbox: Outbox, edges: SendingEdges) {
    this.#store = store;
    this.#outbox = outbox;
    this.#edges = edges;
  }

  /** Has prices held and sends what is held for. */
  async go(team: string, jobs: readonly Job[]): Promise<void> {
    for (const job of jobs.filter(({ call }) => call.credits === 0)) this.#send(job, { team });
    let open = jobs.filter(({ call }) => call.credits > 0);
    while (open.length > 0) {
      const asked = await this.#reservations(open);
      const reserved = await this.#hold(team, asked);
      const waiting: Job[] = [];
      open.forEach((job, at) => {
        const outcome = reserved?.outcomes[at];
        const id = asked[at]?.id;
        if (reserved === undefined || outcome === undefined || id === undefined)
          this.#refuse(job, 'internal');
        else if (outcome === 'held') this.#send(job, { team, id, remaining: reserved.remaining });
        else if (outcome !== 'wait') this.#refuse(job, outcome);
        else if (isWanted(job)) waiting.push(job);
        else this.#refuse(job, 'pending');
      });
      open = waiting;
    }
  }

  #refuse(job: Job, problem: FlightProblem): void {
    this.#unused(job);
    this.#edges.refuse(job, problem);
    this.#edges.release();
  }

  #unused(job: Job): void {
    this.#outbox.report({ outcome: 'unused', charged: 0, unclear: 0, ...grantOf(job) });
  }

  async #reservations(jobs: readonly Job[]): Promise<Reservation[]> {
    const pseudonyms = await this.#edges.pseudonyms();
    return Promise.all(
      jobs.map(async ({ call, seats: [leader] }) => ({
        id: this.#edges.newId(),
        token: leader.payer.token,
        operation: call.operation,
        family: call.family,
        subject: await subjectOf(pseudonyms, call),
        credits: call.credits,
      })),
    );
  }

  /** Asks twice: a reservation of the same id is made once. */
  async #hold(team: string, asked: Reservation[]): Promise<Reserved | undefined> {
    for (const last of [false, true]) {
      try {
        return await this.#edges.reserve(team, asked, RESERVE_WAIT_MS);
      } catch {
        if (last) for (const { id } of asked) this.#store.owe(team, { id, charged: 0 });
      }
    }
    return undefined;
  }

  #send(job: Job, hold: Hold): void {
    this.#edges.background(this.#sendAndHear(job, hold).finally(() => this.#edges.release()));
  }

  async #sendAndHear(job: Job, hold: Hold): Promise<void> {
    const { call } = job;
    const { now } = this.#edges;
    const upstream = await this.#upstream(job);
    if (upstream === undefined) {
      this.#store.ended(call.name, now(), owed(hold, 0));
      this.#unused(job);
      this.#edges.end(job, { outcome: 'failed', credits: 0, problem: 'provider_unavailable' });
      return;
    }
    job.tries += 1;
    this.#store.sending(call.name, now());
    const { heard, signs } = await send(upstream, call, now);
    const unclear = heard.kind === 'unclear' ? call.credits : 0;
    const charged = heard.kind === 'content' && heard.content.kind !== 'missing' ? call.credits : 0;
    if (heard.kind === 'content') {
      await this.#content(job, heard.content, hold, charged);
    } else {
      this.#store.ended(call.name, now(), owed(hold, heard.kind === 'unclear' ? 'unclear' : 0));
      this.#nothing(job, heard, signs, unclear);
    }
    this.#outbox.report({
      outcome: outcomeOf(heard),
      ...barOf(heard),
      ...grantOf(job),
      charged,
      unclear,
      ...(unclear === 0 || hold.id === undefined
        ? {}
        : { unclearReservations: [{ team: hold.team, id: hold.id, credits: unclear }] }),
      ...signs,
    });
  }

  /** @returns undefined where the provider is none, or another one by now */
  async #upstream({ identity }: Job): Promise<Upstream | undefined> {
    try {
      const upstream = await this.#edges.upstream();
      return upstream.identity === identity ? upstream : undefined;
    } catch {
      return undefined;
    }
  }

  async #content(job: Job, content: Content, hold: Hold, charged: number): Promise<void> {
    const { call, identity } = job;
    const { now } = this.#edges;
    const seen = await this.#withoutErased(call, content);
    if (seen === undefined) {
      this.#store.ended(call.name, now(), owed(hold, charged));
      if (call.key !== undefined) this.#store.refuse(await (await this.#edges.pseudonyms()).ofKey(call.key));
      this.#edges.end(job, { outcome: 'failed', credits: charged, problem: 'erased' });
      return;
    }
    const { envelope, kept, names } = remembering(call, seen, identity, now(), this.#edges.lifetime);
    const rows = await this.#rowsOf(call, seen);
    const [first] = kept.writes;
    if (first !== undefined && rows.length > 0) first.rows = rows;
    const fits = fitsStore(kept);
    this.#store.ended(call.name, now(), owed(hold, charged), fits ? kept : undefined);
    if (fits) this.#outbox.teach(identity, names, { text: kept.text, fetchedAt: kept.fetchedAt });
    else this.#edges.background(this.#writeAll(kept.writes));
    const { remaining } = hold;
    this.#edges.end(job, {
      outcome: 'fetched',
      credits: charged,
      envelope,
      size: kept.text.length,
      ...(remaining === undefined ? {} : { remaining }),
    });
  }

  async #writeAll(writes: readonly Write[]): Promise<void> {
    for (const write of writes) await this.#edges.write(write);
  }

  /** @returns pseudonyms of the records that stand in a page of a preview */
  async #rowsOf(call: WantedCall, content: Content): Promise<string[]> {
    if (content.kind !== 'page' || call.operation !== 'preview') return [];
    const pseudonyms = await this.#edges.pseudonyms();
    const ids = content.items.flatMap((item) => idOf(item) ?? []);
    return Promise.all(ids.map((value) => pseudonyms.ofKey({ family: call.family, kind: 'id', value })));
  }

  /** @returns undefined where it is the record of somebody erased; rows of such are taken out of a page */
  async #withoutErased(call: WantedCall, content: Content): Promise<Content | undefined> {
    if (!this.#store.anyErased || content.kind === 'missing') return content;
    const pseudonyms = await this.#edges.pseudonyms();
    if (content.kind === 'record') {
      const all = await pseudonyms.ofRecord(call.family, content.record);
      return this.#store.isErased(all) ? undefined : content;
    }
    const items = await Promise.all(
      content.items.map(async (item) => {
        const value = idOf(item);
        if (value === undefined) return [item];
        const pseudonym = await pseudonyms.ofKey({ family: call.family, kind: 'id', value });
        return this.#store.isErased([pseudonym]) ? [] : [item];
      }),
    );
    return { ...content, items: items.flat() };
  }

  #nothing(job: Job, heard: Exclude<Heard, { kind: 'content' }>, signs: Signs, credits: number): void {
    const { call, tries, startedAt } = job;
    const now = this.#edges.now();
    const answer = heard.kind === 'unclear' ? undefined : heard.answer;
    // The gate makes those wait that were too fast; they cost nothing and are sent again as long as somebody wants it.
    const limited = answer?.status === 429;
    const failing = heard.kind === 'unavailable' && tries < MAX_TRIES && now - startedAt < RETRY_WITHIN_MS;
    if ((limited || failing) && isWanted(job)) {
      this.#edges.background(this.#again(job, limited ? 0 : RETRY_PAUSE_MS * 2 ** tries));
      return;
    }
    const ending: Ending = {
      outcome: 'failed',
      credits,
      problem: problemOf(call, heard),
      ...(answer === undefined ? {} : { answer }),
      ...(signs.retryAfterMs === undefined ? {} : { retryAfterMs: signs.retryAfterMs }),
    };
    this.#edges.end(job, ending);
  }

  /** Full jitter: those who failed together come back apart. */
  async #again(job: Job, longestMs: number): Promise<void> {
    if (longestMs > 0) await this.#edges.after(this.#edges.random() * longestMs);
    this.#edges.again(job);
  }
}

function owed({ team, id }: Hold, charged: number | 'unclear'): Parameters<FlightStore['ended']>[2] {
  return id === undefined ? undefined : { team, settlement: { id, charged } };
}

function idOf(item: unknown): string | undefined {
  return typeof item === 'object' && item !== null && 'id' in item ? String(item.id) : undefined;
}

function grantOf({ grantedAt }: Job): { grantedAt?: number } {
  return grantedAt === undefined ? {} : { grantedAt };
}

function outcomeOf(heard: Heard): 'answered' | 'failed' | 'rate_limited' {
  if (heard.kind === 'unavailable' && heard.answer?.status === 429) return 'rate_limited';
  return heard.kind === 'unavailable' || heard.kind === 'unclear' ? 'failed' : 'answered';
}

/** What the ledger writes of a call. */
function subjectOf(pseudonyms: Pseudonyms, { key, name }: WantedCall): Promise<string> {
  return key === undefined ? pseudonyms.of(name) : pseudonyms.ofKey(key);
}
