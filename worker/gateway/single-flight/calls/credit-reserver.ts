// Reserves the credits of permitted calls in the ledger of their payer's team: the last step before a call is sent.
import { logError } from '../../../http/log.ts';
import type { Reservation, ReserveResult } from '../../ledger/types.ts';
import type { Pseudonyms } from '../../refusal-list/pseudonyms.ts';
import type { SingleFlightPlatform } from '../platform.ts';
import type { SingleFlightStore } from '../storage/store.ts';
import type { CallProblem, CallRequest, ReservationSummary } from '../types.ts';
import type { Call } from './call.ts';
import type { Waiter } from './waiter.ts';

/** A sent call ends within ten seconds and frees the credits that others wait for. */
const RESERVE_WAIT_MS = 12_000;

export interface CallReservation {
  team: string;
  payer: Waiter;
  /** Absent for a free call, like the summary. */
  id?: string;
  summary?: ReservationSummary;
}

/** The reservation of a call, or why there is none. */
export type ReserveAttempt =
  | { kind: 'reserved'; reservation: CallReservation }
  | { kind: 'refused'; problem: CallProblem };

/** `wait`: the credits would be enough if open reservations ended without a charge. */
type BatchOutcome = ReserveAttempt | { kind: 'wait' };

interface ReserveRequest {
  call: Call;
  payer: Waiter;
  resolve: (outcome: BatchOutcome) => void;
}

type ReserverPlatform = Pick<
  SingleFlightPlatform,
  'now' | 'newId' | 'reserve' | 'getPseudonyms' | 'runInBackground'
>;

const refuse = (problem: CallProblem): ReserveAttempt => ({ kind: 'refused', problem });

/** Reserves credits. Simultaneous calls of one team share a request to its ledger. */
export class CreditReserver {
  readonly #store: Pick<SingleFlightStore, 'addSettlement'>;
  readonly #platform: ReserverPlatform;
  /** Requests of the next batch, by team. */
  readonly #batches = new Map<string, ReserveRequest[]>();

  constructor(store: Pick<SingleFlightStore, 'addSettlement'>, platform: ReserverPlatform) {
    this.#store = store;
    this.#platform = platform;
  }

  /** Reserves the price of a call for its leader. A free call needs no ledger. */
  async reserve(call: Call): Promise<ReserveAttempt> {
    if (call.request.credits === 0) {
      const { leader } = call;
      return { kind: 'reserved', reservation: { team: leader.payer.team, payer: leader } };
    }
    for (;;) {
      const outcome = await this.#joinBatch(call);
      if (outcome.kind !== 'wait') return outcome;
      if (call.isFinal || !call.pruneWaiters(this.#platform.now())) return refuse('pending');
    }
  }

  #joinBatch(call: Call): Promise<BatchOutcome> {
    const { promise, resolve } = Promise.withResolvers<BatchOutcome>();
    const { leader: payer } = call;
    const { team } = payer.payer;
    const batch = this.#batches.get(team) ?? [];
    batch.push({ call, payer, resolve });
    if (!this.#batches.has(team)) {
      this.#batches.set(team, batch);
      this.#platform.runInBackground(this.#runBatch(team, batch));
    }
    return promise;
  }

  async #runBatch(team: string, batch: readonly ReserveRequest[]): Promise<void> {
    // Calls that got their permits together join the batch before this continues.
    await Promise.resolve();
    this.#batches.delete(team);
    try {
      await this.#reserveBatch(team, batch);
    } catch (error) {
      logError('reservation_failed', error, { team, calls: batch.length });
      for (const { resolve } of batch) resolve(refuse('internal'));
    }
  }

  async #reserveBatch(team: string, batch: readonly ReserveRequest[]): Promise<void> {
    const reservations = (await this.#buildReservations(batch)) ?? [];
    const result = reservations.length > 0 ? await this.#requestCredits(team, reservations) : undefined;
    batch.forEach(({ payer, resolve }, at) => {
      const outcome = result?.outcomes[at];
      const id = reservations[at]?.id;
      if (result === undefined || outcome === undefined || id === undefined) {
        resolve(refuse('gateway_unavailable'));
      } else if (outcome === 'reserved') {
        const credits = sumReserved(payer.payer.token, reservations, result);
        const summary = { remaining: result.remaining[payer.payer.token] ?? null, credits };
        resolve({ kind: 'reserved', reservation: { team, payer, id, summary } });
      } else {
        resolve(outcome === 'wait' ? { kind: 'wait' } : refuse(outcome));
      }
    });
  }

  /** @returns undefined if D1 is unreachable, because the keys cannot be replaced by pseudonyms */
  async #buildReservations(batch: readonly ReserveRequest[]): Promise<Reservation[] | undefined> {
    try {
      const pseudonyms = await this.#platform.getPseudonyms();
      return await Promise.all(
        batch.map(async ({ call: { request }, payer }) => ({
          id: this.#platform.newId(),
          token: payer.payer.token,
          source: payer.payer.source,
          spreadsheet: payer.payer.spreadsheet,
          budget: payer.payer.budget,
          operation: request.operation,
          family: request.family,
          subject: await createSubject(pseudonyms, request),
          credits: request.credits,
        })),
      );
    } catch (error) {
      logError('reservation_prepare_failed', error);
      return undefined;
    }
  }

  /** Tries twice: the ledger makes a reservation of one id only once. @returns undefined if it is unreachable */
  async #requestCredits(team: string, reservations: Reservation[]): Promise<ReserveResult | undefined> {
    for (const isLast of [false, true]) {
      try {
        return await this.#platform.reserve(team, reservations, RESERVE_WAIT_MS);
      } catch (error) {
        logError('reservation_failed', error, { team, calls: reservations.length, attempt: isLast ? 2 : 1 });
        // The ledger may have made the reservations although its response was lost.
        if (isLast) for (const { id } of reservations) this.#store.addSettlement(team, { id, charged: 0 });
      }
    }
    return undefined;
  }
}

function sumReserved(
  token: string,
  reservations: readonly Reservation[],
  { outcomes }: ReserveResult,
): number {
  return reservations
    .filter((reservation, index) => reservation.token === token && outcomes[index] === 'reserved')
    .reduce((sum, { credits }) => sum + credits, 0);
}

/** Creates the pseudonym by which the ledger's entry names the requested key or page. */
function createSubject(pseudonyms: Pseudonyms, { key, name }: CallRequest): Promise<string> {
  return key === undefined ? pseudonyms.create(name) : pseudonyms.forKey(key);
}
