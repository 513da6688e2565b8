// Fakes of everything that a single-flight object calls. They throw on requests that the real services would never get.

import type {
  Reservation,
  ReserveOutcome,
  ReserveResult,
  Settlement,
} from '../../../../worker/gateway/ledger/types.ts';
import type { Permit, PermitRequest, Report } from '../../../../worker/gateway/provider-throttle/types.ts';
import type { KvWrite } from '../../../../worker/gateway/single-flight/storage/answer-repository.ts';

/** A response is lost before the service did anything, or after. */
export type Loss = 'before' | 'after';

/** A call at the provider. */
export interface SentCall {
  /** The requested website, or the last part of the path. */
  key: string;
  request: Request;
  answer: (response: Response) => void;
  fail: (error: Error) => void;
}

/** A provider whose calls stay open until the test or its script answers them. */
export class FakeProvider {
  readonly sent: SentCall[] = [];
  readonly open: SentCall[] = [];
  script: ((sent: SentCall) => Response | Promise<Response> | undefined) | undefined;
  /** Number of 200s, which the provider charges. */
  charged = 0;

  fetch(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const key = url.searchParams.get('website') ?? decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
    if (this.open.some((other) => other.key === key)) throw new Error(`${key} is in flight`);
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const close = (): void => {
      const at = this.open.indexOf(sent);
      if (at < 0) throw new Error(`${key} was answered before`);
      this.open.splice(at, 1);
    };
    const sent: SentCall = {
      key,
      request,
      answer: (response) => {
        close();
        if (response.status === 200) this.charged += 1;
        resolve(response);
      },
      fail: (error) => {
        close();
        reject(error);
      },
    };
    this.sent.push(sent);
    this.open.push(sent);
    void Promise.resolve(this.script?.(sent)).then(
      (response) => response && sent.answer(response),
      (error: Error) => sent.fail(error),
    );
    return promise;
  }

  /** Keys of all sent calls, in order. */
  get keys(): string[] {
    return this.sent.map(({ key }) => key);
  }

  /** Answers the open call of a key. */
  answer(key: string, response: Response): void {
    const sent = this.open.find((other) => other.key === key);
    if (sent === undefined) throw new Error(`${key} is not in flight`);
    sent.answer(response);
  }

  /** Answers all open calls. */
  answerAll(respond: (key: string) => Response): void {
    for (const sent of [...this.open]) sent.answer(respond(sent.key));
  }
}

/** The ledgers of all teams: reservations and settlements. */
export class FakeLedgers {
  readonly reservations = new Map<string, Reservation & { team: string }>();
  readonly settled = new Map<string, number | 'unclear'>();
  /** Decides about a reservation; undefined reserves. */
  decide: (team: string, reservation: Reservation) => ReserveOutcome | undefined = () => undefined;
  /** Losses of the next requests. */
  losses: { reserve: Loss[]; settle: Loss[] } = { reserve: [], settle: [] };
  requests = { reserve: 0, settle: 0 };
  /** Delays reservations until it resolves. */
  delay: Promise<void> | undefined;

  async reserve(
    team: string,
    reservations: Reservation[],
    settlements: Settlement[],
  ): Promise<ReserveResult> {
    this.requests.reserve += 1;
    await this.delay;
    return this.#lossy('reserve', () => {
      this.#settleAll(settlements);
      const outcomes = reservations.map((reservation): ReserveOutcome => {
        const { id } = reservation;
        if (this.settled.has(id)) throw new Error('a reservation was made after its settlement');
        // Like the real ledger, keep a reservation even if the budget has changed.
        const outcome = this.reservations.has(id)
          ? 'reserved'
          : (this.decide(team, reservation) ?? 'reserved');
        if (outcome === 'reserved') this.reservations.set(id, { ...reservation, team });
        return outcome;
      });
      return { outcomes, remaining: {} };
    });
  }

  async settle(settlements: Settlement[]): Promise<void> {
    this.requests.settle += 1;
    return this.#lossy('settle', () => this.#settleAll(settlements));
  }

  #settleAll(settlements: Settlement[]): void {
    for (const { id, charged } of settlements) {
      const before = this.settled.get(id);
      if (before !== undefined && before !== charged) throw new Error(`${id}: ${before}, then ${charged}`);
      if (this.reservations.has(id)) this.settled.set(id, charged);
      else if (charged !== 0) throw new Error(`${id} was settled without a reservation`);
    }
  }

  #lossy<T>(kind: keyof FakeLedgers['losses'], work: () => T): T {
    const loss = this.losses[kind].shift();
    if (loss === 'before') throw new Error('the ledger is unreachable');
    const result = work();
    if (loss === 'after') throw new Error('the ledger is unreachable');
    return result;
  }

  /** Teams of all reservations. */
  get payers(): string[] {
    return [...this.reservations.values()].map(({ team }) => team);
  }

  /** Charged credits, including unclear ones. */
  get spent(): number {
    let sum = 0;
    for (const [id, charged] of this.settled) {
      sum += charged === 'unclear' ? (this.reservations.get(id)?.credits ?? 0) : charged;
    }
    return sum;
  }

  /** Number of reservations without a settlement. */
  get unsettled(): number {
    return this.reservations.size - this.settled.size;
  }
}

/** A throttle that grants everything, unless the test decides otherwise. */
export class FakeThrottle {
  /** Number of permits without a report. */
  openPermits = 0;
  reports: Report[] = [];
  requests: PermitRequest[] = [];
  /** Decides about a request; undefined grants it. */
  decide: (request: PermitRequest) => Promise<Permit | undefined> | Permit | undefined = () => undefined;

  async acquire(request: PermitRequest, now: number): Promise<Permit> {
    if (request.calls < 1) throw new Error('a permit request without calls');
    this.requests.push(request);
    const permit = (await this.decide(request)) ?? {
      granted: request.calls,
      grantedAt: now,
      retryAt: now,
      isBreakerOpen: false,
    };
    this.openPermits += permit.granted;
    return permit;
  }

  report(reports: Report[]): void {
    this.openPermits -= reports.length;
    this.reports.push(...reports);
  }
}

/** KV as single-flight objects write it. */
export class FakeKv {
  readonly entries = new Map<string, KvWrite>();
  readonly writes: KvWrite[] = [];
  isDown = false;
  /** Delays writes until it resolves. */
  delay: Promise<void> | undefined;

  async write(write: KvWrite): Promise<void> {
    await this.delay;
    if (this.isDown) throw new Error('KV is down');
    this.writes.push(write);
    this.entries.set(write.kvKey, write);
  }
}
