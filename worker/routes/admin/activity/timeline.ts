// /admin/v1/requests/{id}/timeline: the events of a data request.

import { adminEndpoints as endpoints } from '../../../../shared/api/admin-endpoints.ts';
import { DataRequestRepository } from '../../../data-requests/repository.ts';
import { toRequestView } from '../../../data-requests/view.ts';
import { parseProviderMessage } from '../../../gateway/query.ts';
import { DeadLetterRepository } from '../../../queue/dead-letters.ts';
import { findRequestChange } from '../../../tables/changes.ts';
import { listPushesOfRows } from '../../../tables/overview/push-list.ts';
import { RunStore } from '../../../tables/schedules/run-store.ts';
import { requireFound, route } from '../route.ts';
import { buildTimeline } from './timeline-events.ts';

/** D1 binds at most 100 values per statement. */
const MAX_PUSHES = 50;
const MAX_DEAD_LETTERS = 100;

export const getTimeline = route(endpoints.getTimeline, {
  summary: 'List what has happened to a data request, oldest first',
  returns: 'The events',
  handle: async ({ params: { id } }, { env }) => {
    const store = new DataRequestRepository(env.DB);
    const row = requireFound(await store.get(id));
    const [files, webhookTimes, run, announcedAt] = await Promise.all([
      store.listFiles([id]),
      store.listWebhookTimes(id),
      new RunStore(env.DB).getByRequest(id),
      findRequestChange(env.DB, row.teamId, id),
    ]);
    // The rows of a schedule's data request are pushed under the id of its run.
    const rowsIds = run === undefined ? [id] : [id, run.id];
    const pushes = await listPushesOfRows(env.DB, row.teamId, rowsIds, MAX_PUSHES);
    const subjects = [id, ...pushes.map(({ push }) => push.id)];
    const deadLetters = await new DeadLetterRepository(env.DB).listFor(subjects, MAX_DEAD_LETTERS);
    const problem = toRequestView(row, files, parseProviderMessage).problem?.detail;
    const isScheduled = run !== undefined;
    return {
      events: buildTimeline({
        row,
        problem,
        files,
        webhookTimes,
        announcedAt,
        isScheduled,
        pushes,
        deadLetters,
      }),
    };
  },
});
