// Interprets the provider's responses: which answer to store where, which problem to return, what to tell the throttle.
import { createProjection } from '../../../../shared/query/field-paths.ts';
import { getCacheKeys, MIN_TTL_S, toCacheName, toLookupKvKey, toPageKvKey } from '../../cache/cache-keys.ts';
import { type Content, toRecord } from '../../cache/content.ts';
import { type Envelope, encodeAlias, encodeEnvelope } from '../../cache/envelope.ts';
import type { LifetimePolicy } from '../../cache/freshness.ts';
import type { Report } from '../../provider-throttle/types.ts';
import type { ProviderResponse } from '../../upstream/upstream.ts';
import type { NewAnswer, StoredAnswer } from '../storage/answer-repository.ts';
import type { CallProblem, CallRequest } from '../types.ts';

/** An answer, its KV entries, and the other cache names of its record. */
export interface BuiltAnswer {
  envelope: Envelope;
  stored: NewAnswer;
  peerNames: string[];
}

/** KV keys of an answer and its aliases, and the other cache names of its record. */
interface Location {
  kvKey: string;
  aliases: { kvKey: string; text: string }[];
  peerNames: string[];
}

function locate({ name, key }: CallRequest, content: Content, identity: string): Location {
  if (key === undefined) return { kvKey: toPageKvKey(identity, name), aliases: [], peerNames: [] };
  if (content.kind !== 'record') return { kvKey: toLookupKvKey(identity, key), aliases: [], peerNames: [] };
  const [primary, ...others] = getCacheKeys(key, content.record.value);
  const kvKey = toLookupKvKey(identity, primary);
  // An alias can only lead to an id.
  if (primary.kind !== 'id') return { kvKey, aliases: [], peerNames: [] };
  const text = encodeAlias(toCacheName(primary));
  return {
    kvKey,
    aliases: others.map((other) => ({ kvKey: toLookupKvKey(identity, other), text })),
    peerNames: [primary, ...others].map(toCacheName).filter((other) => other !== name),
  };
}

/**
 * Builds the stored form of an answer.
 * @param answer - its content and whom it names
 * @param identity - the provider's
 * @param fetchedAt - milliseconds since 1970
 */
export function buildAnswer(
  call: CallRequest,
  { content, pseudonyms, references }: Pick<StoredAnswer, 'pseudonyms' | 'references'> & { content: Content },
  identity: string,
  fetchedAt: number,
  lifetime: LifetimePolicy,
): BuiltAnswer {
  const envelope: Envelope = { content, fetchedAt, ...lifetime(call, content.kind, fetchedAt) };
  const ttl = Math.max(MIN_TTL_S, Math.ceil((envelope.keepUntil - fetchedAt) / 1000));
  const { kvKey, aliases, peerNames } = locate(call, content, identity);
  const kvEntries = [{ kvKey, ttl }, ...aliases.map((alias) => ({ ...alias, ttl }))];
  return {
    envelope,
    stored: { text: encodeEnvelope(envelope), fetchedAt, pseudonyms, references, kvEntries },
    peerNames,
  };
}

export function classifyProblem(
  call: CallRequest,
  response: Exclude<ProviderResponse, { kind: 'content' }>,
): CallProblem {
  switch (response.kind) {
    case 'unclear':
      return 'provider_unclear';
    case 'unavailable':
      return response.answer?.status === 429 ? 'rate_limited' : 'provider_unavailable';
    case 'refused': {
      const { status } = response.answer;
      if (status === 400 || status === 422) return call.key === undefined ? 'invalid_request' : 'invalid_key';
      return status === 402 ? 'provider_out_of_credits' : 'provider_refused';
    }
  }
}

/** Derives from a refused call whether the provider would refuse other calls too. */
export function toThrottleHints(
  { credits }: CallRequest,
  response: ProviderResponse,
): Pick<Report, 'accessRefused' | 'unpaidCredits'> {
  switch (response.kind === 'refused' ? response.answer.status : undefined) {
    case 401:
      return { accessRefused: 'key' };
    case 403:
      return { accessRefused: 'call' };
    case 402:
      return { unpaidCredits: credits };
    default:
      return {};
  }
}

/** Cuts a record to some fields; leaves other content whole. */
export function projectEnvelope(envelope: Envelope, fields: readonly string[] | undefined): Envelope {
  const { content } = envelope;
  if (content.kind !== 'record' || fields === undefined) return envelope;
  return { ...envelope, content: toRecord(createProjection(fields)(content.record.value)) };
}
