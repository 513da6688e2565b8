// What an answer of the provider comes to: what is remembered where, and what those who asked are told.
import { createProjection } from '../../../../shared/query/field-paths.ts';
import { getCacheKeys, toCacheName, toLookupKvKey, toPageKvKey } from '../../cache/cache-keys.ts';
import { type Envelope, encodeAlias, encodeEnvelope } from '../../cache/envelope.ts';
import type { LifetimePolicy } from '../../cache/freshness.ts';
import type { BlockReason, Report } from '../../provider-throttle/types.ts';
import type { ProviderResponse } from '../../upstream/upstream.ts';
import type { KvEntry, StoredAnswer } from '../storage/answer-repository.ts';
import type { CallProblem, CallRequest } from '../types.ts';

/** An answer, where KV is to have it, and the names under which other flights may be asked for it. */
export interface NewAnswer {
  envelope: Envelope;
  stored: StoredAnswer & { places: KvEntry[] };
  peerNames: string[];
}

/** KV forgets nothing sooner than after a minute. */
const SHORTEST_TTL_S = 60;

/** The place of an answer, those that lead to it, and the names by which other flights are asked for it. */
interface Location {
  place: string;
  leading: { place: string; text: string }[];
  names: string[];
}

function locate({ name, key }: CallRequest, content: Envelope['content'], identity: string): Location {
  if (key === undefined) return { place: toPageKvKey(identity, name), leading: [], names: [] };
  if (content.kind !== 'record') return { place: toLookupKvKey(identity, key), leading: [], names: [] };
  const [own, ...others] = getCacheKeys(key, content.record);
  const text = encodeAlias(toCacheName(own));
  return {
    place: toLookupKvKey(identity, own),
    // Without an id there is no place that other keys could lead to.
    leading:
      own.kind === 'id' ? others.map((other) => ({ place: toLookupKvKey(identity, other), text })) : [],
    names: own.kind === 'id' ? [own, ...others].map(toCacheName).filter((other) => other !== name) : [],
  };
}

/**
 * Makes of an answer what is remembered.
 * @param who - pseudonyms of whoever is in it, the keys of each together
 * @param identity - the provider's
 * @param fetchedAt - milliseconds since 1970
 */
export function buildAnswer(
  call: CallRequest,
  content: Envelope['content'],
  who: string[][],
  identity: string,
  fetchedAt: number,
  lifetime: LifetimePolicy,
): NewAnswer {
  const envelope: Envelope = { content, fetchedAt, ...lifetime(call, content.kind, fetchedAt) };
  const ttl = Math.max(SHORTEST_TTL_S, Math.ceil((envelope.keepUntil - fetchedAt) / 1000));
  const { place, leading, names } = locate(call, content, identity);
  const places = [{ place, ttl }, ...leading.map((alias) => ({ ...alias, ttl }))];
  return {
    envelope,
    stored: { text: encodeEnvelope(envelope), fetchedAt, pseudonyms: who, places },
    peerNames: names,
  };
}

/** What a refusal means that speaks of our key or our account, by its status (contract, "Errors"). */
const bars: Readonly<Record<number, BlockReason>> = {
  401: 'provider_refused',
  402: 'provider_out_of_credits',
  403: 'provider_refused',
};

/**
 * The problem of a call that brought no content.
 */
export function classifyProblem(
  call: CallRequest,
  heard: Exclude<ProviderResponse, { kind: 'content' }>,
): CallProblem {
  switch (heard.kind) {
    case 'unclear':
      return 'provider_unclear';
    case 'unavailable':
      return heard.answer?.status === 429 ? 'rate_limited' : 'provider_unavailable';
    case 'refused': {
      const { status } = heard.answer;
      if (status === 400 || status === 422) return call.key === undefined ? 'invalid_request' : 'invalid_key';
      return bars[status] ?? 'provider_refused';
    }
  }
}

/** What a refusal tells the gate about other calls. */
export function toThrottleHints(
  { credits }: CallRequest,
  heard: ProviderResponse,
): Pick<Report, 'keyRefused' | 'unpaidCredits'> {
  switch (heard.kind === 'refused' ? bars[heard.answer.status] : undefined) {
    case 'provider_refused':
      return { keyRefused: true };
    case 'provider_out_of_credits':
      return { unpaidCredits: credits };
    default:
      return {};
  }
}

/** Cuts a record to some fields; anything else stays whole. */
export function projectEnvelope(envelope: Envelope, fields: readonly string[] | undefined): Envelope {
  const { content } = envelope;
  if (content.kind !== 'record' || fields === undefined) return envelope;
  return { ...envelope, content: { kind: 'record', record: createProjection(fields)(content.record) } };
}
