// Whom a flight speaks to, and what it knows of the world.
import type { LifetimePolicy } from '../cache/freshness.ts';
import type { Reservation, ReserveResult } from '../ledger/types.ts';
import type { Permit, PermitRequest } from '../provider-throttle/types.ts';
import type { Pseudonyms } from '../refusal-list/pseudonyms.ts';
import type { Upstream } from '../upstream/upstream.ts';

export interface SingleFlightPlatform {
  /** Milliseconds since 1970. */
  now: () => number;
  after: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 up to 1, evenly. */
  random: () => number;
  newId: () => string;
  getUpstream: () => Promise<Upstream>;
  acquirePermits: (acquire: PermitRequest) => Promise<Permit>;
  reserve: (team: string, reservations: Reservation[], waitMs: number) => Promise<ReserveResult>;
  getPseudonyms: () => Promise<Pseudonyms>;
  /** Reads the pseudonyms of all keys that are refused. */
  listErasedKeys: () => Promise<string[]>;
  lifetime: LifetimePolicy;
  /** Keeps the object alive for work that outlives an answer. */
  runInBackground: (work: Promise<void>) => void;
  /** Asks to be woken, at the latest then: milliseconds since 1970. */
  scheduleAlarm: (at: number) => void;
}
