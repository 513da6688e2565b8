// The Durable Object in which many askers' questions become one call.
import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../../env.ts';
import { configuredUpstream } from '../configure.ts';
import { type Edges, platformEdges } from '../edges.ts';
import { lifetimeOf } from '../freshness.ts';
import { gateOf } from '../gate/object.ts';
import { ledgerOf } from '../ledger/object.ts';
import { Pseudonyms } from '../pseudonym.ts';
import { reconcile } from '../reconcile.ts';
import { noteRows } from '../remembered-rows.ts';
import type { Upstream } from '../upstream.ts';
import { teachFlight } from './client.ts';
import { Flight as Questions } from './flight.ts';
import { Outbox } from './outbox.ts';
import { FlightStore, type KeptAnswer, type Write } from './store.ts';
import type { Ask, Asked } from './types.ts';

/** How long the object stays awake for calls that nobody waits for, before it asks to be woken again. */
const AWAKE_MS = 60_000;
/** What could not be told or stored is tried again after this time. */
const AGAIN_MS = 5_000;
/** Work that outlives its askers begins this soon to keep the object awake. */
const SOON_MS = 1_000;

/** A flight, as others call it. See {@link Questions} for what it does. */
export class Flight<E extends Env = Env> extends DurableObject<E> {
  readonly #edges: Edges<E>;
  readonly #store: FlightStore;
  readonly #questions: Questions;
  #pseudonyms: Pseudonyms | undefined;
  #wakeAt = Number.POSITIVE_INFINITY;
  #identity: string | undefined;

  constructor(ctx: DurableObjectState, env: E, edges: Edges<E> = platformEdges) {
    super(ctx, env);
    this.#edges = edges;
    this.#store = new FlightStore(ctx.storage);
    const { now, after, random } = edges;
    const gate = () => gateOf(env, this.#identity ?? '');
    const background = (work: Promise<void>): void => {
      ctx.waitUntil(work.catch((error: unknown) => console.error(errorLine(error))));
    };
    const write = async ({ place, text, ttl, rows }: Write): Promise<void> => {
      // Whatever stands in KV can be found by an erasure.
      if (rows !== undefined) await noteRows(env.DB, rows, place, now() + ttl * 1000);
      await env.RECORDS.put(place, text, { expirationTtl: ttl });
    };
    const wake = (at: number): void => this.#wake(at);
    const outbox = new Outbox(this.#store, {
      settle: async (team, settlements) => {
        await ledgerOf(env, team).settleMany(settlements);
      },
      report: async (reports) => {
        const { resolved } = await gate().report(reports);
        if (resolved.length > 0) await reconcile(env, gate(), resolved);
      },
      write,
      teach: (identity, name, kept) => teachFlight(env, identity, name, kept),
      background,
      after,
      later: () => wake(now() + AGAIN_MS),
    });
    this.#questions = new Questions(this.#store, outbox, {
      now,
      after,
      random,
      newId: () => crypto.randomUUID(),
      upstream: () => this.#upstream(),
      acquire: (acquire) => gate().acquire(acquire),
      reserve: async (team, reservations, waitMs) => {
        const { settlements, heard } = outbox.owedTo(team);
        const reserved = await ledgerOf(env, team).reserveMany(reservations, waitMs, settlements);
        heard();
        return reserved;
      },
      pseudonyms: () => this.#readPseudonyms(),
      lifetime: lifetimeOf(env),
      write,
      background,
      wake,
    });
  }

  /** Answers calls; see {@link Questions.ask}. */
  ask(ask: Ask): Promise<Asked> {
    this.#identity = ask.identity;
    return this.#questions.ask(ask);
  }

  /** Keeps an answer that another flight heard. */
  learn(name: string, kept: KeptAnswer): void {
    this.#questions.learn(name, kept);
  }

  /**
   * Refuses keys from now on, and forgets what was answered under some names.
   * @returns how many answers were forgotten
   */
  erase(pseudonyms: string[], names: string[]): number {
    return this.#questions.erase(pseudonyms, names);
  }

  override async alarm(): Promise<void> {
    this.#wakeAt = Number.POSITIVE_INFINITY;
    this.#identity ??= this.#store.standingIdentity();
    // If the object ends in the middle, the alarm rings again.
    const more = await this.#questions.resume(AWAKE_MS);
    if (more) this.#wake(this.#edges.now() + (this.#store.isBusy() ? AGAIN_MS : AWAKE_MS));
  }

  #wake(at: number): void {
    const soonest = Math.max(at, this.#edges.now() + SOON_MS);
    if (soonest >= this.#wakeAt) return;
    this.#wakeAt = soonest;
    this.ctx.waitUntil(this.ctx.storage.setAlarm(soonest));
  }

  async #upstream(): Promise<Upstream> {
    const upstream = (await configuredUpstream(this.env)) ?? (await this.#edges.embedded?.(this.env));
    if (upstream === undefined) throw new Error('No provider is configured.');
    return upstream;
  }

  async #readPseudonyms(): Promise<Pseudonyms> {
    this.#pseudonyms ??= await Pseudonyms.read(this.env.DB);
    return this.#pseudonyms;
  }
}

function errorLine(error: unknown): string {
  return JSON.stringify({ event: 'flight_error', error: error instanceof Error ? error.name : 'unknown' });
}
