// Lookups of remembered records, many or few in one call.
import type { Task, VariantModule } from '../harness/bench.ts';
import { byName } from '../harness/by-name.ts';
import { drive, type Figure } from '../load/drive.ts';
import { FAMILY } from '../load/records.ts';
import { collectText, postText } from '../load/request-text.ts';
import { type StockedGateway, startStocked } from '../load/stocked.ts';

/** Records that the bench has: as many as one lookup takes. */
export const MOST = 1_000;
/** By then all is warm. */
const WARM_UP_ROWS = 10_000;

async function measured(
  { dir, shared, quick }: Task,
  textOf: (gateway: StockedGateway) => Promise<{ text: string; cache?: string; warmUpAnswers: number }>,
): Promise<Figure> {
  const gateway = await startStocked(shared, dir);
  try {
    const { host, port } = gateway;
    const { text, ...rest } = await textOf(gateway);
    return await drive(
      { question: { host, port, text, from: 1, count: MOST }, server: 'workerd', ...rest },
      quick,
    );
  } finally {
    await gateway.stop();
  }
}

/** One record a call, as a client of the service asks. */
const single: VariantModule = {
  measure: (task) =>
    measured(task, async ({ token }) => ({
      text: collectText(token),
      cache: 'hit',
      warmUpAnswers: WARM_UP_ROWS,
    })),
};

/** So many records a call, as the add-on asks. */
function lookupOf(size: number): VariantModule {
  const keys = Array.from({ length: size }, (_, at) => String(1 + at));
  const body = { family: FAMILY, by: 'id', keys } as const;
  return {
    measure: (task) =>
      measured(task, async ({ lookup, token }) => {
        const { rows } = await lookup({ ...body, keys });
        const bad = rows.find(({ status }) => status !== 'hit');
        if (bad !== undefined) throw new Error(`${bad.key} is not remembered: ${bad.status}`);
        const text = postText('/sheets/v1/lookup', { authorization: `Bearer ${token}` }, body);
        return { text, warmUpAnswers: Math.ceil(WARM_UP_ROWS / size) };
      }),
  };
}

export const variant = byName({
  single,
  'lookup-1': lookupOf(1),
  'lookup-10': lookupOf(10),
  'lookup-100': lookupOf(100),
  'lookup-1000': lookupOf(MOST),
});
