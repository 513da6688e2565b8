// The variants of the arrival bench: a new instance, a new browser and several bulk orders.
import { formatPlaygroundUrl } from '../../../shared/playground.ts';
import { createStopSignal, waitForAbort } from '../../../worker/commands/instance/interrupt.ts';
import type { Task, VariantModule } from '../harness/bench.ts';
import type { Arrival } from './figures.ts';
import { type RunningInstance, setProviderDuration, startInstanceCopy } from './instance.ts';
import { timeRowsRequest, waitUntilReady } from './poll.ts';
import { OpenSheet } from './sheet.ts';

/**
 * How long the provider works on an order. The gateway polls 7 and 15 seconds after sending, so the webhook comes
 * between two polls.
 */
const PROVIDER_MS = 8_000;

/** Live events and the polling program run once a second. Several orders end at different points of that second. */
const ORDER_COUNT = 3;
const SECOND_MS = 1_000;

/** Measures one order. @param records - its size */
async function measureOrder(
  sheet: OpenSheet,
  { session, webhookRelay }: RunningInstance,
  order: number,
  records: number,
): Promise<Arrival> {
  const title = `Arrival ${order + 1}`;
  const earlier = webhookRelay.receivedAt.length;
  await setProviderDuration(session, PROVIDER_MS + Math.round((order * SECOND_MS) / ORDER_COUNT));
  await sheet.order(title, records);
  const [times, ended] = await Promise.all([sheet.waitForRows(title, records), waitUntilReady(session)]);
  const webhook = webhookRelay.receivedAt[earlier];
  if (ended.rows !== records) throw new Error(`${ended.rows} rows of ${records} records`);
  if (webhook === undefined || ended.storedAt < webhook) {
    throw new Error('the rows were there before the webhook was');
  }
  return {
    stored: ended.storedAt - webhook,
    // Measured afterwards: reading rows at the same time would delay the sheet.
    polled: ended.seenAt - webhook + (await timeRowsRequest(session, ended)),
    changesRequested: times.changesRequested - webhook,
    rowsRequested: times.rowsRequested - webhook,
    firstRow: times.firstRow - webhook,
    lastRow: times.lastRow - webhook,
  };
}

export const variant: VariantModule = {
  async measure({ name, dir, sharedDir }: Task): Promise<Arrival[]> {
    const signal = createStopSignal();
    const copy = await startInstanceCopy(sharedDir, dir, signal);
    void waitForAbort(signal)
      .then(copy.stop)
      .finally(() => process.exit(1));
    try {
      const sheet = await OpenSheet.open(formatPlaygroundUrl(copy.session));
      try {
        const arrivals: Arrival[] = [];
        for (let order = 0; order < ORDER_COUNT; order += 1) {
          arrivals.push(await measureOrder(sheet, copy, order, Number(name)));
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
