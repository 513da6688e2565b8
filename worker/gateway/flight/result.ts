// What an answer of the provider comes to: what is remembered where, and what those who asked are told.
import { project } from '../../../shared/field-paths.ts';
import { type Envelope, writeAlias, writeEnvelope } from '../envelope.ts';
import type { Lifetime } from '../freshness.ts';
import type { Bar } from '../gate/types.ts';
import { aliasPlace, nameOf, namesOfRecord, pagePlace, recordPlace } from '../names.ts';
import type { Heard } from '../upstream.ts';
import type { KeptAnswer, Write } from './store.ts';
import type { FlightProblem, WantedCall } from './types.ts';

/** An answer, where KV is to have it, and the names under which other flights may be asked for it. */
export interface Remembering {
  envelope: Envelope;
  kept: KeptAnswer & { writes: Write[] };
  names: string[];
}

/** KV forgets nothing sooner than after a minute. */
const SHORTEST_TTL_S = 60;

/**
 * Makes of an answer what is remembered.
 * @param identity - the provider's
 * @param fetchedAt - milliseconds since 1970
 */
export function remembering(
  call: WantedCall,
  content: Envelope['content'],
  identity: string,
  fetchedAt: number,
  lifetime: Lifetime,
): Remembering {
  const envelope: Envelope = { content, fetchedAt, ...lifetime(call, content.kind, fetchedAt) };
  const text = writeEnvelope(envelope);
  const ttl = Math.max(SHORTEST_TTL_S, Math.ceil((envelope.keepUntil - fetchedAt) / 1000));
  const { key } = call;
  const write = (place: string, written = text): Write => ({ place, text: written, ttl });
  if (key === undefined) {
    const place = pagePlace(identity, call.name);
    return { envelope, kept: { text, fetchedAt, writes: [write(place)] }, names: [] };
  }
  if (content.kind !== 'record') {
    const name = nameOf(key);
    const place = key.kind === 'id' ? recordPlace(identity, name) : aliasPlace(identity, name);
    return { envelope, kept: { text, fetchedAt, writes: [write(place)] }, names: [] };
  }
  const [own, ...others] = namesOfRecord(key, content.record);
  if (own === nameOf(key) && key.kind !== 'id') {
    // Without an id there is no place that other keys could lead to.
    return { envelope, kept: { text, fetchedAt, writes: [write(aliasPlace(identity, own))] }, names: [] };
  }
  const leading = writeAlias(own);
  const writes = [
    write(recordPlace(identity, own)),
    ...others.map((name) => write(aliasPlace(identity, name), leading)),
  ];
  const names = [own, ...others].filter((name) => name !== call.name);
  return { envelope, kept: { text, fetchedAt, writes }, names };
}

/** What a refusal of everyone means, by its status (contract, "Errors"). */
const bars: Readonly<Record<number, Bar>> = {
  401: 'provider_refused',
  402: 'provider_out_of_credits',
  403: 'provider_refused',
};

/**
 * The problem of a call that brought no content.
 */
export function problemOf(call: WantedCall, heard: Exclude<Heard, { kind: 'content' }>): FlightProblem {
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

/** Why every other call would end the same, for the gate: the provider knows our key no more, or our account is empty. */
export function barOf(heard: Heard): { bar?: Bar } {
  const bar = heard.kind === 'refused' ? bars[heard.answer.status] : undefined;
  return bar === undefined ? {} : { bar };
}

/** Cuts a record to some fields; anything else stays whole. */
export function cut(envelope: Envelope, fields: readonly string[] | undefined): Envelope {
  const { content } = envelope;
  if (content.kind !== 'record' || fields === undefined || fields.includes('*')) return envelope;
  return { ...envelope, content: { kind: 'record', record: project(content.record, fields) } };
}
