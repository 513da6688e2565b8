// Handles the end of a data request: records the change, starts pushes and sends alerts.
import type { DataRequestEvents } from '../data-requests/state-machine.ts';
import { enqueueRequestAlert } from './alerts/request-alerts.ts';
import { recordChange } from './changes.ts';

/** Listens to data requests for registered tables and alerts. */
export const dataRequestListener: DataRequestEvents = {
  onEnded: async (env, row, now) => {
    const { id, teamId, phase, rows } = row;
    const hasRows = phase === 'ready' && rows > 0;
    await recordChange(env, { teamId, kind: 'request', subject: id, run: '', hasRows }, now);
    await enqueueRequestAlert(env, row, now);
  },
};
