// What only the owner of the embedded provider uses: putting records in and seeing what is there.
import { Hono } from 'hono';
import { z } from 'zod';
import { type Family, familyNames, isFamily } from '../../shared/families.ts';
import { normaliseId } from '../../shared/keys/index.ts';
import type { ProviderBindings } from './app.ts';
import { type NewRecord, type PutCounts, RecordStore, type SharedWebsite } from './records.ts';

/** A batch of an import. */
const MAX_BATCH = 500;

const EXAMPLES = 12;

const batch = z.object({ records: z.array(z.unknown()).max(MAX_BATCH) });

/** A record can be put in if it is an object with an id. */
const importable = z.looseObject({ id: z.union([z.number(), z.string()]) });

/** What became of a batch. */
export interface ImportAnswer extends PutCounts {
  refused: { index: number; reason: string }[];
  shared_websites: SharedWebsite[];
}

/** What is there. */
export interface ProviderStatus {
  records: Partial<Record<Family, number>>;
  /** Websites of some companies, to try things with. */
  websites: string[];
}

function readRecords(records: readonly unknown[]): { taken: NewRecord[]; refused: ImportAnswer['refused'] } {
  const taken = new Map<string, NewRecord>();
  const refused: ImportAnswer['refused'] = [];
  records.forEach((candidate, index) => {
    const parsed = importable.safeParse(candidate);
    const id = parsed.success ? normaliseId(String(parsed.data.id)) : undefined;
    if (!parsed.success || !id?.ok) {
      refused.push({ index, reason: 'it has no id that is a whole number from 1' });
    } else if (taken.has(id.value)) {
      refused.push({ index, reason: `its id ${id.value} is there twice` });
    } else {
      taken.set(id.value, { id: id.value, record: parsed.data });
    }
  });
  return { taken: [...taken.values()], refused };
}

/** Makes the owner's routes: `GET /status`, `POST /records/{family}`. */
export function manageRoutes(): Hono<{ Bindings: ProviderBindings }> {
  const routes = new Hono<{ Bindings: ProviderBindings }>();
  routes.get('/status', async (c) => {
    const store = new RecordStore(c.env.PROVIDER_DB);
    const [records, websites] = await Promise.all([store.count(), store.websites('company_clean', EXAMPLES)]);
    const status: ProviderStatus = { records, websites };
    return c.json(status);
  });
  routes.post('/records/:family', async (c) => {
    const family = c.req.param('family');
    if (!isFamily(family)) return c.json({ detail: `The families are ${familyNames.join(', ')}.` }, 404);
    const body = batch.safeParse(await c.req.json().catch(() => undefined));
    if (!body.success) return c.json({ detail: `The body is {"records": [at most ${MAX_BATCH}]}.` }, 422);
    const { taken, refused } = readRecords(body.data.records);
    const store = new RecordStore(c.env.PROVIDER_DB);
    const counts = await store.put(family, taken);
    const shared = await store.sharedWebsites(
      family,
      taken.map(({ id }) => id),
    );
    const answer: ImportAnswer = { ...counts, refused, shared_websites: shared };
    return c.json(answer);
  });
  return routes;
}
