// One round of one size: a fresh instance, a fresh browser, a few bulk requests one after the other.
import { stopSignal, whenStopped } from '../../../worker/commands/instance/interrupt.ts';
import type { Task, VariantModule } from '../harness/bench.ts';
import type { Arrival } from './figures.ts';
import { type RunningCopy, setRunTime, startCopy } from './instance.ts';
import { readRows, untilReady } from './poll.ts';
import { OpenSheet } from './sheet.ts';

/**
 * How long the provider works on a request. The gateway, which looks for itself 7 and 15 seconds after it has sent one,
 * hears of it by webhook between.
 */
const RUN_MS = 8_000;

/** The live events look once a second, and so does the poll: so many requests end at as many points of that second. */
const ORDERS = 3;
const SECOND_MS = 1_000;

/** @param records - how many the request brings */
async function once(
  sheet: OpenSheet,
  { session, door }: RunningCopy,
  order: number,
  records: number,
): Promise<Arrival> {
  const title = `Arrival ${order + 1}`;
  const earlier = door.heard.length;
  await setRunTime(session, RUN_MS + Math.round((order * SECOND_MS) / ORDERS));
  await sheet.order(title, records);
  const [seen, ended] = await Promise.all([sheet.arrival(title, records), untilReady(session)]);
  const webhook = door.heard[earlier];
  if (ended.rows !== records) throw new Error(`${ended.rows} rows of ${records} records`);
  if (webhook === undefined || ended.at < webhook) {
    throw new Error('the rows were there before the webhook was');
  }
  return {
    kept: ended.at - webhook,
    // Read behind the sheet's back, they would hold it up.
    polled: ended.seen - webhook + (await readRows(session, ended)),
    asked: seen.asked - webhook,
    fetched: seen.fetched - webhook,
    first: seen.first - webhook,
    last: seen.last - webhook,
  };
}

export const variant: VariantModule = {
  async measure({ name, dir, shared }: Task): Promise<Arrival[]> {
    const signal = stopSignal();
    const copy = await startCopy(shared, dir, signal);
    void whenStopped(signal)
      .then(copy.stop)
      .finally(() => process.exit(1));
    try {
      const sheet = await OpenSheet.open(copy.session.url);
      try {
        const arrivals: Arrival[] = [];
        for (let order = 0; order < ORDERS; order += 1) {
          arrivals.push(await once(sheet, copy, order, Number(name)));
        }
        return arrivals;
      } finally {
        await sheet.close();
      }
    } finally {
      await copy.stop();
    }
  },
};
