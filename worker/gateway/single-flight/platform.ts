// The services and the clock that a single-flight object uses. Tests inject their own.
import type { LifetimePolicy } from '../cache/freshness.ts';
import type { Reservation, ReserveResult } from '../ledger/types.ts';
import type { Permit, PermitRequest } from '../provider-throttle/types.ts';
import type { LinkedKeys } from '../refusal-list/named-subjects.ts';
import type { Pseudonyms } from '../refusal-list/pseudonyms.ts';
import type { Upstream } from '../upstream/upstream.ts';

export interface SingleFlightPlatform {
  now: () => number;
  sleep: (ms: number, until?: Promise<unknown>) => Promise<void>;
  /** At least 0 and less than 1. */
  random: () => number;
  newId: () => string;
  getUpstream: () => Promise<Upstream>;
  acquirePermits: (request: PermitRequest) => Promise<Permit>;
  reserve: (team: string, reservations: Reservation[], waitMs: number) => Promise<ReserveResult>;
  getPseudonyms: () => Promise<Pseudonyms>;
  listErasedKeys: () => AsyncIterable<readonly string[]>;
  /** Refuses keys everywhere that an answer links to an erased person or company. Never throws. */
  refuseLinked: (identity: string, linked: LinkedKeys) => Promise<void>;
  lifetime: LifetimePolicy;
  /** Keeps the object alive for work that outlives a response. */
  runInBackground: (work: Promise<void>) => void;
  /** Wakes the object at this time or earlier: milliseconds since 1970. */
  scheduleAlarm: (at: number) => void;
}
