// What only the owner of the sandbox uses: putting records in and seeing what is there.
import { Hono } from 'hono';
import * as z from 'zod';
import { type Family, familyNames, isFamily } from '../../shared/families/index.ts';
import type { SandboxBindings } from './bindings.ts';
import { parseRecord } from './import/parse-record.ts';
import { getRecordRepository } from './record-repository.ts';
import { getStoredFamily, type NewRecord, type PutCounts, type SharedWebsite } from './record-store.ts';

/** A batch of an import. */
const MAX_BATCH = 500;

const EXAMPLES = 12;

const batchSchema = z.object({ records: z.array(z.unknown()).max(MAX_BATCH) });

/** What became of a batch. */
export interface ImportResult extends PutCounts {
  refused: { index: number; reason: string }[];
  shared_websites: SharedWebsite[];
}

/** What is there. */
export interface SandboxStatus {
  records: Partial<Record<Family, number>>;
  /** Websites of some companies and ids of some posts, to try things with: posts can't be searched for. */
  websites: string[];
  posts: string[];
}

function parseRecords(records: readonly unknown[]): { taken: NewRecord[]; refused: ImportResult['refused'] } {
  const taken = new Map<string, NewRecord>();
  const refused: ImportResult['refused'] = [];
  records.forEach((candidate, index) => {
    const read = parseRecord(candidate);
    if (!read.ok) refused.push({ index, reason: read.reason });
    else if (taken.has(read.id)) refused.push({ index, reason: `its id ${read.id} is there twice` });
    else taken.set(read.id, { id: read.id, record: read.record });
  });
  return { taken: [...taken.values()], refused };
}

/** Makes the owner's routes: `GET /status`, `POST /records/{family}`. */
export function recordRoutes(): Hono<{ Bindings: SandboxBindings }> {
  const routes = new Hono<{ Bindings: SandboxBindings }>();
  routes.get('/status', async (c) => {
    const { store } = getRecordRepository(c.env.SANDBOX_DB);
    const [records, websites, posts] = await Promise.all([
      store.countByFamily(),
      store.listWebsites('company_clean', EXAMPLES),
      store.ids('employee_post', EXAMPLES),
    ]);
    const status: SandboxStatus = { records, websites, posts };
    return c.json(status);
  });
  routes.post('/records/:family', async (c) => {
    const named = c.req.param('family');
    if (!isFamily(named)) return c.json({ detail: `The families are ${familyNames.join(', ')}.` }, 404);
    const family = getStoredFamily(named);
    const body = batchSchema.safeParse(await c.req.json().catch(() => undefined));
    if (!body.success) return c.json({ detail: `The body is {"records": [at most ${MAX_BATCH}]}.` }, 422);
    const { taken, refused } = parseRecords(body.data.records);
    const library = getRecordRepository(c.env.SANDBOX_DB);
    const counts = await library.put(family, taken);
    const shared = await library.store.findSharedWebsites(
      family,
      taken.map(({ id }) => id),
    );
    const answer: ImportResult = { ...counts, refused, shared_websites: shared };
    return c.json(answer);
  });
  return routes;
}
