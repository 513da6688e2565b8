// Minute sweep of alerts: checks budgets, enqueues due messages, deletes old ones.
import pMap from 'p-map';
import type { Env } from '../../env.ts';
import type { JobContext } from '../../gateway/context.ts';
import { logError } from '../../http/log.ts';
import { enqueue } from '../job-queue.ts';
import { enqueueBudgetAlerts } from './budget-alerts.ts';
import { AlertStore } from './store.ts';

/** Below the limit of six open connections per invocation. */
const CONCURRENCY = 5;
/** Longer than a month: messages deduplicate monthly budget alerts. */
export const MESSAGE_DAYS = 40;

/** Runs the sweep. A failing budget check does not stop the others. */
export async function sweepAlerts<E extends Env>({ env, platform }: JobContext<E>): Promise<void> {
  const now = platform.now();
  const store = new AlertStore(env.DB);
  await pMap(
    await store.listBudgetTeams(),
    (team) =>
      enqueueBudgetAlerts(env, team, now).catch((error: unknown) =>
        logError('budget_check_failed', error, { team }),
      ),
    { concurrency: CONCURRENCY },
  );
  const due = await store.listDue(now);
  await enqueue(
    env,
    due.map((id) => ({ kind: 'alert', id })),
  );
  await store.deleteMessagesBefore(now - MESSAGE_DAYS * 86_400_000);
}
