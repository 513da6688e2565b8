// Routes for the owner of the sandbox: import of records and status.
import { Hono } from 'hono';
import * as z from 'zod';
import { type Family, familyNames, isFamily } from '../../shared/families/index.ts';
import { readJson, readText } from './api/json-body.ts';
import { parseRecord } from './import/parse-record.ts';
import { getRecordRepository } from './record-repository.ts';
import { getStoredFamily, type NewRecord, type PutCounts, type SharedWebsite } from './record-store.ts';
import type { SandboxBindings } from './requests/requests-object.ts';

/** Records in one batch of an import. */
const MAX_BATCH = 500;

const MAX_WEBSITES = 40;
const MAX_POSTS = 12;

const batchSchema = z.object({ records: z.array(z.unknown()).max(MAX_BATCH) });

/** The result of one batch. */
export interface ImportResult extends PutCounts {
  refused: { index: number; reason: string }[];
  shared_websites: SharedWebsite[];
}

/** The contents of the sandbox. */
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
    const repository = getRecordRepository(c.env.SANDBOX_DB);
    const counts = await repository.put(family, accepted);
    const shared = await repository.store.findSharedWebsites(
      family,
      accepted.map(({ id }) => id),
    );
    const result: ImportResult = { ...counts, refused: rejected, shared_websites: shared };
    return c.json(result);
  });
  return routes;
}
