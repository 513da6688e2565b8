// Calls that wait for a permit of the provider throttle and then for a free connection, grouped by team.
import type { ProblemCode } from '../../../../shared/problems.ts';
import { logError } from '../../../http/log.ts';
import type { Lane } from '../../provider-call.ts';
import {
  type BlockReason,
  type CallerKey,
  getPurpose,
  getSourceKey,
  type Permit,
} from '../../provider-throttle/types.ts';
import type { Outbox } from '../outbox.ts';
import type { SingleFlightPlatform } from '../platform.ts';
import type { CallRequest } from '../types.ts';
import type { Call } from './call.ts';
import type { Waiter } from './waiter.ts';

/** Of the six connections that an object may hold open, one stays free for KV. */
export const MAX_CONNECTIONS = 5;
/** How long the throttle may delay its response to a permit request. */
const PERMIT_WAIT_MS = 10_000;
/** Pause before the next permit request if the throttle was unreachable or granted nothing. */
const PAUSE_MS = 400;

/** Why no permit is granted for a while: the provider is down, or our own throttle is unreachable. */
export interface Outage {
  problem: Extract<ProblemCode, 'provider_unavailable' | 'gateway_unavailable'>;
  retryAfterMs: number;
}

/**
 * The state of a queued call.
 * `granted`: it has a permit and a connection, which {@link CallQueue.release} frees.
 * `outage`: it stays in the queue; its waiters should not wait.
 * `blocked`: it left the queue; the provider would refuse it.
 * `unwanted`: it left the queue; it has ended, or no waiter wants it any more.
 */
export type Admission =
  | { kind: 'granted' }
  | { kind: 'outage'; outage: Outage }
  | { kind: 'blocked'; problem: BlockReason; retryAfterMs: number }
  | { kind: 'unwanted' };

interface Entry {
  readonly call: Call;
  admission: PromiseWithResolvers<Admission>;
}

/** Calls that request permits together: same team, lane and price. */
interface Group extends CallerKey {
  lane: Lane;
  credits: number;
  entries: Entry[];
  isRequesting: boolean;
  /** When the next permit is expected, if none was granted: milliseconds since 1970. */
  retryAt?: number;
}

type QueuePlatform = Pick<SingleFlightPlatform, 'now' | 'sleep' | 'acquirePermits' | 'runInBackground'>;

const getTeam = ({ leader }: Call): string => leader.payer.team;
const formatGroupName = ({ lane, credits, team }: Pick<Group, 'lane' | 'credits' | 'team'>): string =>
  `${lane}:${credits}:${team}`;
const getGroupName = (call: Call): string =>
  formatGroupName({ lane: call.lane, credits: call.request.credits, team: getTeam(call) });

/** The queues of a single-flight object, one for each group. */
export class CallQueue {
  readonly #platform: QueuePlatform;
  readonly #outbox: Pick<Outbox, 'returnPermit'>;
  readonly #groups = new Map<string, Group>();
  /** Queued calls and permitted calls without a connection. */
  readonly #entries = new Map<Call, Entry>();
  /** Permitted calls that wait for a connection. */
  readonly #permitted: Entry[] = [];
  #connections = 0;
  #requested = 0;
  /** Current outages by team and price: the breaker is open, or the throttle is unreachable. Milliseconds since 1970. */
  readonly #outages = new Map<string, { problem: Outage['problem']; until: number }>();

  constructor(platform: QueuePlatform, outbox: Pick<Outbox, 'returnPermit'>) {
    this.#platform = platform;
    this.#outbox = outbox;
  }

  /**
   * Waits for the next admission of a call, which joins the queue of its payer's team unless it is in it.
   * @param isFirst - puts it before the others
   */
  wait(call: Call, isFirst = false): Promise<Admission> {
    const entry = this.#entries.get(call) ?? { call, admission: Promise.withResolvers<Admission>() };
    if (!this.#entries.has(call)) {
      this.#entries.set(call, entry);
      this.#add(entry, isFirst);
    }
    return entry.admission.promise;
  }

  move(call: Call, lane: Lane): void {
    this.#regroup(call, () => {
      call.lane = lane;
    });
  }

  replaceStoppedLeader(call: Call, waiter: Waiter): void {
    if (this.getOutage(getTeam(call), call.request, this.#platform.now()) === undefined) return;
    this.#regroup(call, () => call.makeLeader(waiter));
  }

  /** Changes the lane or the leader of a queued call, which moves it to another group. */
  #regroup(call: Call, change: () => void): void {
    const entries = this.#groups.get(getGroupName(call))?.entries ?? [];
    const at = entries.findIndex((entry) => entry.call === call);
    const [entry] = at === -1 ? [] : entries.splice(at, 1);
    if (entry === undefined) return;
    change();
    this.#add(entry);
  }

  release(): void {
    this.#connections -= 1;
    this.#grantConnections();
    for (const group of this.#groups.values()) this.#platform.runInBackground(this.#requestPermits(group));
  }

  /** Returns when a permit for the call is expected; undefined if that is unknown. */
  getRetryTime(call: Call): number | undefined {
    return this.#groups.get(getGroupName(call))?.retryAt;
  }

  /** Returns the current outage for the calls of a team, if there is one. */
  getOutage(team: string, { credits }: CallRequest, now: number): Outage | undefined {
    const outage = this.#outages.get(getSourceKey({ team, purpose: getPurpose(credits) }));
    if (outage === undefined || outage.until <= now) return undefined;
    return { problem: outage.problem, retryAfterMs: outage.until - now };
  }

  #add(entry: Entry, isFirst = false): void {
    const { call } = entry;
    const name = getGroupName(call);
    const group = this.#groups.get(name) ?? {
      team: getTeam(call),
      purpose: getPurpose(call.request.credits),
      lane: call.lane,
      credits: call.request.credits,
      entries: [],
      isRequesting: false,
    };
    this.#groups.set(name, group);
    if (isFirst) group.entries.unshift(entry);
    else group.entries.push(entry);
    this.#platform.runInBackground(this.#requestPermits(group));
  }

  async #requestPermits(group: Group): Promise<void> {
    if (group.isRequesting) return;
    group.isRequesting = true;
    try {
      // Calls that arrive together share a permit request.
      await Promise.resolve();
      while (this.#prune(group) > 0) {
        const free = MAX_CONNECTIONS - this.#connections - this.#permitted.length;
        if (free <= 0) return;
        // A team that waits for permits does not block the requests of other teams.
        const calls = Math.min(group.entries.length, Math.max(1, free - this.#requested));
        this.#requested += calls;
        const permit = await this.#acquire(group, calls);
        this.#requested -= calls;
        if (permit === undefined) await this.#waitForThrottle(group);
        else if (permit.granted > 0) this.#accept(group, permit);
        else await this.#waitForPermit(group, permit);
      }
      this.#groups.delete(formatGroupName(group));
    } finally {
      group.isRequesting = false;
    }
  }

  /** Tries twice: an object that was just evicted answers the second time. @returns undefined if it is unreachable */
  async #acquire({ team, purpose, lane, credits }: Group, calls: number): Promise<Permit | undefined> {
    for (const isLast of [false, true]) {
      try {
        const waitMs = PERMIT_WAIT_MS;
        return await this.#platform.acquirePermits({ team, purpose, lane, calls, credits, waitMs });
      } catch (error) {
        logError('provider_throttle_unreachable', error, { team, calls, attempt: isLast ? 2 : 1 });
        if (!isLast) await this.#platform.sleep(PAUSE_MS);
      }
    }
    return undefined;
  }

  #accept(group: Group, { granted, grantedAt }: Permit): void {
    delete group.retryAt;
    this.#outages.delete(getSourceKey(group));
    this.#prune(group);
    const entries = group.entries.splice(0, granted);
    for (const { call } of entries) {
      call.become('permitted');
      if (grantedAt !== undefined) call.grantedAt = grantedAt;
      call.grantedTo = group.team;
    }
    for (let unused = granted - entries.length; unused > 0; unused -= 1) this.#outbox.returnPermit(grantedAt);
    this.#permitted.push(...entries);
    this.#grantConnections();
  }

  #grantConnections(): void {
    while (this.#connections < MAX_CONNECTIONS) {
      const entry = this.#permitted.shift();
      if (entry === undefined) break;
      if (this.#removeUnwanted(entry)) this.#outbox.returnPermit(entry.call.grantedAt);
      else {
        this.#connections += 1;
        this.#resolve(entry, { kind: 'granted' });
      }
    }
  }

  /** Handles a permit that grants nothing: the provider is busy, down, or would refuse these calls. */
  async #waitForPermit(group: Group, { retryAt, isBreakerOpen, blockedBy }: Permit): Promise<void> {
    group.retryAt = retryAt;
    const retryAfterMs = Math.max(0, retryAt - this.#platform.now());
    if (blockedBy !== undefined) {
      for (const entry of group.entries.splice(0)) {
        this.#resolve(entry, { kind: 'blocked', problem: blockedBy, retryAfterMs });
      }
    }
    if (isBreakerOpen) await this.#announceOutage(group, { problem: 'provider_unavailable', retryAfterMs });
    if (this.#prune(group) > 0) {
      await this.#platform.sleep(isBreakerOpen ? Math.max(PAUSE_MS, retryAfterMs) : PAUSE_MS);
    }
  }

  async #waitForThrottle(group: Group): Promise<void> {
    group.retryAt = this.#platform.now() + PAUSE_MS;
    await this.#announceOutage(group, { problem: 'gateway_unavailable', retryAfterMs: PAUSE_MS });
    if (this.#prune(group) > 0) await this.#platform.sleep(PAUSE_MS);
  }

  async #announceOutage(group: Group, outage: Outage): Promise<void> {
    const now = this.#platform.now();
    for (const [key, { until }] of this.#outages) if (until <= now) this.#outages.delete(key);
    const until = now + outage.retryAfterMs;
    this.#outages.set(getSourceKey(group), { problem: outage.problem, until });
    for (const entry of group.entries) {
      const { resolve } = entry.admission;
      entry.admission = Promise.withResolvers();
      resolve({ kind: 'outage', outage });
    }
    // The runners handle the outage before this continues.
    await Promise.resolve();
  }

  /** Removes a call that has ended or has no waiters. @returns whether it was removed */
  #removeUnwanted(entry: Entry): boolean {
    const { call } = entry;
    if (!call.isFinal && call.pruneWaiters(this.#platform.now())) return false;
    this.#resolve(entry, { kind: 'unwanted' });
    return true;
  }

  #resolve(entry: Entry, admission: Exclude<Admission, { kind: 'outage' }>): void {
    this.#entries.delete(entry.call);
    entry.admission.resolve(admission);
  }

  /** Keeps only calls in a group that are wanted and paid for by its team. @returns how many those are */
  #prune(group: Group): number {
    const wanted = group.entries.filter((entry) => !this.#removeUnwanted(entry));
    group.entries = wanted.filter(({ call }) => getTeam(call) === group.team);
    for (const entry of wanted) if (getTeam(entry.call) !== group.team) this.#add(entry);
    return group.entries.length;
  }
}
