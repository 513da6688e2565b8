// Erasing a person or company: gone from every layer, refused from then on, with proof. What it is known by is kept as
// pseudonyms alone.
import pMap from 'p-map';
import { type Family, families, familyNames, type KeyKind } from '../../shared/families.ts';
import { keysOfRecord, normaliseId } from '../../shared/keys/index.ts';
import { lookupKinds, recordOperation } from '../../shared/operations.ts';
import type { Env } from '../env.ts';
import { AnswerCache, AnswerMemory } from './cache.ts';
import type { Envelope } from './envelope.ts';
import { askFlights, eraseFromFlights } from './flight/client.ts';
import { aliasPlace, nameOf, type RecordKey, recordPlace } from './names.ts';
import { Pseudonyms } from './pseudonym.ts';
import { takePages } from './remembered-rows.ts';
import { recordCall } from './rooms.ts';

/** What an erasure did. */
export interface Erasure {
  /** Under which its proof is kept. */
  id: string;
  /** Milliseconds since 1970. */
  at: number;
  /** By then no isolate and no copy of KV holds it any more: milliseconds since 1970. */
  goneEverywhereBy: number;
  /** How much was removed where. */
  removed: { keys: number; kv: number; flights: number; pages: number };
}

/** KV tells everyone within a minute, and an isolate remembers for another one. */
const EVERYWHERE_MS = 120_000;
/** A record leads to other keys, and those to records of other families; no chain is longer. */
const MAX_ROUNDS = 4;
/** Of the six connections that an invocation may hold open. */
const KV_CONCURRENCY = 5;

/** What an erasure works with. */
export interface EraseRooms {
  env: Env;
  /** The provider's. */
  identity: string;
  /** Milliseconds since 1970. */
  now: () => number;
  newId: () => string;
}

/**
 * Finds what is remembered of a key: in KV, or in the flight that heard it.
 */
export async function recall(
  key: RecordKey,
  { env, identity, now }: EraseRooms,
): Promise<Envelope | undefined> {
  const cache = new AnswerCache(env.RECORDS, new AnswerMemory(now), identity, now);
  let found: Envelope | undefined;
  await cache.getRecords([key], (_key, envelope) => {
    found = envelope;
  });
  const operation = key.kind === 'verbatim' ? undefined : recordOperation(key.family, key.kind);
  if (found !== undefined || operation === undefined) return found;
  const calls = [recordCall(operation, key, key.value, 0)];
  const payer = { team: '', token: '' };
  const rows = await askFlights(env, { identity, calls, payer, lane: 'bulk', waitMs: 0, background: false });
  const row = rows.get(nameOf(key));
  return row !== undefined && 'envelope' in row ? row.envelope : undefined;
}

const subjectFamilies = (family: Family): Family[] =>
  familyNames.filter((name) => families[name].subject === families[family].subject);

/** The keys of a record in every family of its subject. */
function keysIn(family: Family, record: Record<string, unknown>): RecordKey[] {
  const id = normaliseId(String(record.id ?? ''));
  const { website, shorthand_name } = keysOfRecord(family, record);
  const values: [KeyKind, string][] = [
    ...(id.ok ? [['id', id.value] as [KeyKind, string]] : []),
    ...website.map((value): [KeyKind, string] => ['website', value]),
    ...shorthand_name.map((value): [KeyKind, string] => ['shorthand_name', value]),
  ];
  return subjectFamilies(family).flatMap((name) =>
    values
      .filter(([kind]) => lookupKinds(name).includes(kind))
      .map(([kind, value]) => ({ family: name, kind, value })),
  );
}

/** Every key that leads to the same, as far as what is remembered tells. */
async function allKeys(asked: RecordKey, rooms: EraseRooms): Promise<RecordKey[]> {
  const known = new Map<string, RecordKey>();
  let fresh: RecordKey[] = subjectFamilies(asked.family).map((family) => ({ ...asked, family }));
  for (let round = 0; round < MAX_ROUNDS && fresh.length > 0; round += 1) {
    for (const key of fresh) known.set(nameOf(key), key);
    const found = await pMap(fresh, (key) => recall(key, rooms), { concurrency: KV_CONCURRENCY });
    const next = found.flatMap((envelope, at) => {
      const family = fresh[at]?.family;
      if (envelope?.content.kind !== 'record' || family === undefined) return [];
      return keysIn(family, envelope.content.record);
    });
    fresh = [...new Map(next.map((key) => [nameOf(key), key])).values()].filter(
      (key) => !known.has(nameOf(key)),
    );
  }
  return [...known.values()];
}

/** Notes who is refused from now on, before anything is removed: whatever comes later is refused already. */
async function noteErasure(
  db: D1Database,
  id: string,
  at: number,
  subject: string,
  pseudonyms: string[],
): Promise<void> {
  await db.batch([
    db
      .prepare('INSERT INTO erasures (id, at, subject, removed) VALUES (?, ?, ?, ?)')
      .bind(id, at, subject, '{}'),
    db
      .prepare(
        'INSERT OR IGNORE INTO erased_keys (pseudonym, erasure_id) SELECT value, ?2 FROM json_each(?1)',
      )
      .bind(JSON.stringify(pseudonyms), id),
  ]);
}

/**
 * Erases whoever is behind a key: in every family of its subject, under every key that is known.
 */
export async function erase(asked: RecordKey, rooms: EraseRooms): Promise<Erasure> {
  const { env, identity, now, newId } = rooms;
  const id = newId();
  const at = now();
  const keys = await allKeys(asked, rooms);
  const maker = await Pseudonyms.read(env.DB);
  const pseudonyms = [...new Set(await Promise.all(keys.map((key) => maker.ofKey(key))))];
  await noteErasure(env.DB, id, at, families[asked.family].subject, pseudonyms);

  const names = keys.map(nameOf);
  const pages = await takePages(env.DB, pseudonyms);
  const pageNames = pages.map((place) => place.slice(`page:${identity}:`.length));
  const flights = await eraseFromFlights(env, identity, pseudonyms, [...names, ...pageNames]);
  const places = [
    ...keys.map((key) => aliasPlace(identity, nameOf(key))),
    ...keys.filter(({ kind }) => kind === 'id').map((key) => recordPlace(identity, nameOf(key))),
    ...pages,
  ];
  await pMap(places, (place) => env.RECORDS.delete(place), { concurrency: KV_CONCURRENCY });

  const removed = { keys: keys.length, kv: places.length, flights, pages: pages.length };
  await env.DB.prepare('UPDATE erasures SET removed = ? WHERE id = ?')
    .bind(JSON.stringify(removed), id)
    .run();
  return { id, at, goneEverywhereBy: now() + EVERYWHERE_MS, removed };
}

/** Is a key refused because of an erasure? */
export async function isErased(db: D1Database, key: RecordKey): Promise<boolean> {
  const pseudonym = await (await Pseudonyms.read(db)).ofKey(key);
  const row = await db.prepare('SELECT 1 FROM erased_keys WHERE pseudonym = ?').bind(pseudonym).first();
  return row !== null;
}
