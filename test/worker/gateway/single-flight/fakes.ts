// What a flight speaks to, in the hands of a test: provider, ledgers, gate and KV. Each of them is strict: it refuses what the
// real one would never see.

import type {
  Reservation,
  ReserveOutcome,
  ReserveResult,
  Settlement,
} from '../../../../worker/gateway/ledger/types.ts';
import type { Permit, PermitRequest, Report } from '../../../../worker/gateway/provider-throttle/types.ts';
import type { KvWrite } from '../../../../worker/gateway/single-flight/storage/answer-repository.ts';

/** How a ledger's or gate's answer gets lost: before it did anything, or after. */
export type Loss = 'before' | 'after';

/** One call at the provider, open until the test answers it. */
export interface Sent {
  /** The key that was asked, or the path. */
  key: string;
  request: Request;
  at: number;
  answer: (response: Response) => void;
  fail: (error: Error) => void;
}

/** The provider: each call waits for the test, unless a script answers it. */
export class FakeProvider {
  readonly sent: Sent[] = [];
  readonly open: Sent[] = [];
  script: ((sent: Sent) => Response | Promise<Response> | undefined) | undefined;
  /** 200s, which it charges. */
  charged = 0;

  fetch(request: Request, now: number): Promise<Response> {
    const url = new URL(request.url);
    const key = url.searchParams.get('website') ?? decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const close = (): void => {
      const at = this.open.indexOf(sent);
      if (at < 0) throw new Error(`${key} was answered already`);
      this.open.splice(at, 1);
    };
    const sent: Sent = {
      key,
      request,
      at: now,
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
    if (this.open.some((other) => other.key === key)) throw new Error(`${key} is on its way already`);
    this.sent.push(sent);
    this.open.push(sent);
    void Promise.resolve(this.script?.(sent)).then(
      (response) => response && sent.answer(response),
      (error: Error) => sent.fail(error),
    );
    return promise;
  }

  /** The keys that were sent, in order. */
  get keys(): string[] {
    return this.sent.map(({ key }) => key);
  }

  /** The open call of a key. */
  of(key: string): Sent {
    const sent = this.open.find((other) => other.key === key);
    if (sent === undefined) throw new Error(`${key} is not on its way`);
    return sent;
  }
}

/** The ledgers of all teams: what is held, and what was posted. */
export class FakeLedgers {
  readonly holds = new Map<string, Reservation & { team: string }>();
  readonly posted = new Map<string, number | 'unclear'>();
  /** What is answered to a reservation; held if it says nothing. */
  judge: (team: string, reservation: Reservation) => ReserveOutcome | undefined = () => undefined;
  remaining: number | null = null;
  /** Each call of this kind is lost so, as often as it says. */
  losses: { reserve: Loss[]; settle: Loss[] } = { reserve: [], settle: [] };
  calls = { reserve: 0, settle: 0 };
  /** Delays reservations until it resolves. */
  delay: Promise<void> | undefined;

  async reserve(team: string, asked: Reservation[], settlements: Settlement[]): Promise<ReserveResult> {
    this.calls.reserve += 1;
    await this.delay;
    return this.#lossy('reserve', () => {
      this.#post(settlements);
      const outcomes = asked.map((reservation): ReserveOutcome => {
        if (this.posted.has(reservation.id)) throw new Error('a reservation was made after its settlement');
        // As the ledger: what is held stays so, whatever the budget says by now.
        const outcome = this.holds.has(reservation.id) ? 'held' : (this.judge(team, reservation) ?? 'held');
        if (outcome === 'held') this.holds.set(reservation.id, { ...reservation, team });
        return outcome;
      });
      return { outcomes, remaining: this.remaining };
    });
  }

  async settle(settlements: Settlement[]): Promise<void> {
    this.calls.settle += 1;
    return this.#lossy('settle', () => this.#post(settlements));
  }

  #post(settlements: Settlement[]): void {
    for (const { id, charged } of settlements) {
      const before = this.posted.get(id);
      if (before !== undefined && before !== charged) throw new Error(`${id}: ${before}, then ${charged}`);
      if (!this.holds.has(id)) {
        if (charged !== 0) throw new Error(`${id} was settled and never held`);
        continue;
      }
      this.posted.set(id, charged);
    }
  }

  #lossy<T>(kind: keyof FakeLedgers['losses'], work: () => T): T {
    const loss = this.losses[kind].shift();
    if (loss === 'before') throw new Error('the ledger is gone');
    const result = work();
    if (loss === 'after') throw new Error('the ledger is gone');
    return result;
  }

  /** Credits that were charged, unclear ones included. */
  get spent(): number {
    let sum = 0;
    for (const [id, charged] of this.posted) {
      sum += charged === 'unclear' ? (this.holds.get(id)?.credits ?? 0) : charged;
    }
    return sum;
  }

  /** Holds that nobody settled. */
  get unsettled(): number {
    return this.holds.size - this.posted.size;
  }
}

/** The gate: grants everything, unless the test says otherwise. */
export class FakeThrottle {
  /** Permits that no report brought back. */
  out = 0;
  reports: Report[] = [];
  acquired: PermitRequest[] = [];
  answer: (acquire: PermitRequest) => Promise<Permit | undefined> | Permit | undefined = () => undefined;

  async acquire(acquire: PermitRequest, now: number): Promise<Permit> {
    if (acquire.calls < 1) throw new Error('nothing was asked');
    this.acquired.push(acquire);
    const permit = (await this.answer(acquire)) ?? {
      granted: acquire.calls,
      grantedAt: now,
      retryAt: now,
      isBreakerOpen: false,
    };
    this.out += permit.granted;
    return permit;
  }

  report(reports: Report[]): void {
    this.out -= reports.length;
    this.reports.push(...reports);
  }
}

/** KV, as the flight writes it. */
export class FakeKv {
  readonly entries = new Map<string, KvWrite>();
  readonly writes: KvWrite[] = [];
  failing = false;
  /** Holds writes up until it is called. */
  held: Promise<void> | undefined;

  async write(write: KvWrite): Promise<void> {
    await this.held;
    if (this.failing) throw new Error('KV is down');
    this.writes.push(write);
    this.entries.set(write.kvKey, write);
  }
}
