// What only the owner of the sandbox uses: putting records in and seeing what is there.
import { Hono } from 'hono';
import * as z from 'zod';
import { type Family, familyNames, isFamily } from '../../shared/families/index.ts';
import type { SandboxBindings } from './bindings.ts';
import { readImportable } from './import/parse-record.ts';
import { libraryOf } from './record-repository.ts';
import { type NewRecord, type PutCounts, type SharedWebsite, storedFamily } from './record-store.ts';

/** A batch of an import. */
const MAX_BATCH = 500;

const EXAMPLES = 12;

const batch = z.object({ records: z.array(z.unknown()).max(MAX_BATCH) });

/** What became of a batch. */
export interface ImportAnswer extends PutCounts {
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

function readRecords(records: readonly unknown[]): { taken: NewRecord[]; refused: ImportAnswer['refused'] } {
  const taken = new Map<string, NewRecord>();
  const refused: ImportAnswer['refused'] = [];
  records.forEach((candidate, index) => {
    const read = readImportable(candidate);
    if (!read.ok) refused.push({ index, reason: read.reason });
    else if (taken.has(read.id)) refused.push({ index, reason: `its id ${read.id} is there twice` });
    else taken.set(read.id, { id: read.id, record: read.record });
  });
  return { taken: [...taken.values()], refused };
}

/** Makes the owner's routes: `GET /status`, `POST /records/{family}`. */
export function manageRoutes(): Hono<{ Bindings: SandboxBindings }> {
  const routes = new Hono<{ Bindings: SandboxBindings }>();
  routes.get('/status', async (c) => {
    const { store } = libraryOf(c.env.SANDBOX_DB);
    const [records, websites, posts] = await Promise.all([
      store.count(),
      store.websites('company_clean', EXAMPLES),
      store.ids('employee_post', EXAMPLES),
    ]);
    const status: SandboxStatus = { records, websites, posts };
    return c.json(status);
  });
  routes.post('/records/:family', async (c) => {
    const named = c.req.param('family');
    if (!isFamily(named)) return c.json({ detail: `The families are ${familyNames.join(', ')}.` }, 404);
    const family = storedFamily(named);
    const body = batch.safeParse(await c.req.json().catch(() => undefined));
    if (!body.success) return c.json({ detail: `The body is {"records": [at most ${MAX_BATCH}]}.` }, 422);
    const { taken, refused } = readRecords(body.data.records);
    const library = libraryOf(c.env.SANDBOX_DB);
    const counts = await library.put(family, taken);
    const shared = await library.store.sharedWebsites(
      family,
      taken.map(({ id }) => id),
    );
    const answer: ImportAnswer = { ...counts, refused, shared_websites: shared };
    return c.json(answer);
  });
  return routes;
}
