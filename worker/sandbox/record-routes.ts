// Routes for the owner of the sandbox: import of records and status.
import { Hono } from 'hono';
import * as z from 'zod';
import { type Family, familyNames, isFamily } from '../../shared/families/index.ts';
import { normaliseId } from '../../shared/keys/index.ts';
import { isObject } from '../../shared/lib/is-object.ts';
import { readJson, readText } from './api/json-body.ts';
import { getRecordRepository } from './record-repository.ts';
import {
  getStoredFamily,
  MAX_ID,
  type NewRecord,
  type PutCounts,
  type SharedWebsite,
} from './record-store.ts';
import type { SandboxBindings } from './requests/requests-object.ts';

const MAX_BATCH = 500;

const MAX_WEBSITES = 40;
const MAX_POSTS = 12;

const batchSchema = z.object({ records: z.array(z.unknown()).max(MAX_BATCH) });

export interface ImportResult extends PutCounts {
  refused: { index: number; reason: string }[];
  shared_websites: SharedWebsite[];
}

export interface SandboxStatus {
  records: Partial<Record<Family, number>>;
  /** Sample websites of companies and sample ids of posts. Posts have no search. */
  websites: string[];
  posts: string[];
}

function parseRecords(records: readonly unknown[]): {
  accepted: NewRecord[];
  rejected: ImportResult['refused'];
} {
  const accepted = new Map<string, NewRecord>();
  const rejected: ImportResult['refused'] = [];
  records.forEach((candidate, index) => {
    const parsed = parseRecord(candidate);
    if (!parsed.ok) rejected.push({ index, reason: parsed.reason });
    else if (accepted.has(parsed.id)) rejected.push({ index, reason: `its id ${parsed.id} is there twice` });
    else accepted.set(parsed.id, { id: parsed.id, record: parsed.record });
  });
  return { accepted: [...accepted.values()], rejected };
}

/** Creates `GET /status` and `POST /records/{family}`. */
export function recordRoutes(): Hono<{ Bindings: SandboxBindings }> {
  const routes = new Hono<{ Bindings: SandboxBindings }>();
  routes.get('/status', async (c) => {
    const { store } = getRecordRepository(c.env.SANDBOX_DB);
    const [records, websites, posts] = await Promise.all([
      store.countByFamily(),
      store.listWebsites('company_clean', MAX_WEBSITES),
      store.listIds('employee_post', MAX_POSTS),
    ]);
    const status: SandboxStatus = { records, websites, posts };
    return c.json(status);
  });
  routes.post('/records/:family', async (c) => {
    const familyName = c.req.param('family');
    if (!isFamily(familyName)) return c.json({ detail: `The families are ${familyNames.join(', ')}.` }, 404);
    const family = getStoredFamily(familyName);
    const body = batchSchema.safeParse(readJson(await readText(c.req.raw)));
    if (!body.success) return c.json({ detail: `The body is {"records": [at most ${MAX_BATCH}]}.` }, 422);
    const { accepted, rejected } = parseRecords(body.data.records);
    const { store } = getRecordRepository(c.env.SANDBOX_DB);
    const counts = await store.put(family, accepted);
    const shared = await store.findSharedWebsites(
      family,
      accepted.map(({ id }) => id),
    );
    const result: ImportResult = { ...counts, refused: rejected, shared_websites: shared };
    return c.json(result);
  });
  return routes;
}

/** A valid record, or why it is rejected. */
export type ParsedRecord = ({ ok: true } & NewRecord) | { ok: false; reason: string };

const NO_ID = 'it has no id that is a whole number from 1';

/** Records of the service are a few levels deep; very deep ones can't be serialised. */
const MAX_LEVELS = 100;
const TOO_DEEP = `it is nested deeper than ${MAX_LEVELS} levels`;

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}

/**
 * Validates a record to import.
 * @param candidate - JSON with bigints
 * @returns the record with its normalised id, or why it is rejected
 */
export function parseRecord(candidate: unknown): ParsedRecord {
  if (!isObject(candidate)) return { ok: false, reason: 'it is not an object' };
  const { id } = candidate;
  // A number beyond 2^53 was written with a point or an exponent, and may be rounded.
  if (!Number.isSafeInteger(id) && typeof id !== 'bigint' && typeof id !== 'string')
    return { ok: false, reason: NO_ID };
  const key = normaliseId(String(id));
  if (!key.ok || BigInt(key.value) > MAX_ID) return { ok: false, reason: NO_ID };
  if (isDeeperThan(candidate, MAX_LEVELS)) return { ok: false, reason: TOO_DEEP };
  return { ok: true, id: key.value, record: candidate };
}
