// Variants of the batch bench: lookups of cached records with different sizes.
import type { Task, VariantModule } from '../harness/bench.ts';
import { dispatchByName } from '../harness/by-name.ts';
import { type Figure, measureLoad } from '../load/measure.ts';
import { type PreloadedGateway, startPreloadedGateway } from '../load/preloaded-gateway.ts';
import { FAMILY } from '../load/records.ts';
import { formatCollect, formatPost } from '../load/request-text.ts';

/** Number of records: the maximum of a lookup. */
export const MAX_RECORDS = 1_000;
/** Rows until a server is warm. */
const WARM_UP_ROWS = 10_000;

async function measureGateway(
  { dir, sharedDir, quick }: Task,
  createRequest: (
    gateway: PreloadedGateway,
  ) => Promise<{ text: string; cache?: string; warmUpAnswers: number }>,
): Promise<Figure> {
  const gateway = await startPreloadedGateway(sharedDir, dir);
  try {
    const { host, port } = gateway;
    const { text, ...rest } = await createRequest(gateway);
    return await measureLoad(
      { template: { host, port, text, from: 1, count: MAX_RECORDS }, server: 'workerd', ...rest },
      quick,
    );
  } finally {
    await gateway.stop();
  }
}

/** One record per call, as clients of the service request it. */
const singleCalls: VariantModule = {
  measure: (task) =>
    measureGateway(task, async ({ token }) => ({
      text: formatCollect(token),
      cache: 'hit',
      warmUpAnswers: WARM_UP_ROWS,
    })),
};

/** Creates a variant with `size` records per call, as the add-on requests them. */
function createLookupVariant(size: number): VariantModule {
  const keys = Array.from({ length: size }, (_, at) => String(1 + at));
  const body = { family: FAMILY, by: 'id', keys } as const;
  return {
    measure: (task) =>
      measureGateway(task, async ({ lookup, token }) => {
        const { rows } = await lookup({ ...body, keys });
        const bad = rows.find(({ status }) => status !== 'hit');
        if (bad !== undefined) throw new Error(`${bad.key} is not remembered: ${bad.status}`);
        const text = formatPost('/sheets/v1/lookup', { authorization: `Bearer ${token}` }, body);
        return { text, warmUpAnswers: Math.ceil(WARM_UP_ROWS / size) };
      }),
  };
}

export const variant = dispatchByName({
  single: singleCalls,
  'lookup-1': createLookupVariant(1),
  'lookup-10': createLookupVariant(10),
  'lookup-100': createLookupVariant(100),
  'lookup-1000': createLookupVariant(MAX_RECORDS),
});
