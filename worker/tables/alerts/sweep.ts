// Each minute: looks at the budgets of teams that want to hear of them, has messages sent that are due, forgets old ones.
import pMap from 'p-map';
import type { Env } from '../../env.ts';
import { logError } from '../../http/log.ts';
import type { JobContext } from '../../jobs/job-consumer.ts';
import { enqueue } from '../job-queue.ts';
import { enqueueBudgetAlerts } from './budget-alerts.ts';
import { AlertStore } from './store.ts';

/** Of the six connections that an invocation may hold open. */
const CONCURRENCY = 5;
/** Longer than a month, in which its budget is told of once. */
const KEEP_MS = 40 * 86_400_000;

/** Has what is due sent. */
export async function sweepAlerts<E extends Env>({ env, platform }: JobContext<E>): Promise<void> {
  const now = platform.now();
  const store = new AlertStore(env.DB);
  await pMap(
    await store.listBudgetTeams(),
    (team) =>
      enqueueBudgetAlerts(env, team, now).catch((error: unknown) =>
        logError('budget_not_seen', error, { team }),
      ),
    { concurrency: CONCURRENCY },
  );
  const due = await store.listDue(now);
  await enqueue(
    env,
    due.map((id) => ({ kind: 'alert', id })),
  );
  await store.deleteMessagesBefore(now - KEEP_MS);
}
