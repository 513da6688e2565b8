// /admin/v1/requests/{id}/stop: stops a data request, as its team can.

import type { StoppedDataRequest } from '../../../../shared/api/admin-data-requests.ts';
import { adminEndpoints as endpoints } from '../../../../shared/api/admin-endpoints.ts';
import { formatNumber } from '../../../../shared/lib/format-count.ts';
import { DataRequestRepository } from '../../../data-requests/repository.ts';
import { DataRequestService } from '../../../data-requests/service.ts';
import type { RequestRow } from '../../../db/schema.ts';
import { buildAuditInsert } from '../audit-log.ts';
import { getAdminView } from '../data-requests.ts';
import { requireFound, route } from '../route.ts';

/** Describes what a stopped data request costs. */
function describeCharge({
  endedAt,
  charged,
  reserved,
}: RequestRow): Pick<StoppedDataRequest, 'charge' | 'message'> {
  if (endedAt === null) {
    return {
      charge: 'expected',
      message: `The provider has the order and charges for what it delivers, up to ${formatNumber(reserved)} credits. The team can still write the rows for free.`,
    };
  }
  if (charged === null) {
    return {
      charge: 'unclear',
      message: `Nobody knows whether its ${formatNumber(reserved)} credits were charged. They count as spent until you reconcile them.`,
    };
  }
  return charged === 0
    ? { charge: 'none', message: 'It has ended, and nothing is charged.' }
    : { charge: 'charged', message: `It had already ended: ${formatNumber(charged)} credits were charged.` };
}

export const stopDataRequest = route(endpoints.stopDataRequest, {
  summary:
    'Stop a data request: before it is sent, its credits are released; afterwards the gateway only stops waiting for it',
  description: 'The answer says whether it is charged. Repeating the call changes nothing.',
  returns: 'The data request and its charge',
  handle: async ({ params: { id } }, { env, now, actor, getProvider }) => {
    const store = new DataRequestRepository(env.DB);
    const row = requireFound(await store.get(id));
    if (row.endedAt === null && !row.cancelRequested) {
      const detail = { team: row.teamId, phase: row.phase };
      await buildAuditInsert({ env, now, actor }, 'data_request.stop', id, detail);
      await new DataRequestService({ env, now: () => now, upstream: getProvider }).cancel(row);
    }
    const current = (await store.get(id)) ?? row;
    return {
      request: await getAdminView(env, current),
      ...describeCharge(current),
    };
  },
});
