// /admin/v1/person-searches: finds the stored records of a person by name, company and e-mail address.
import { sql } from 'drizzle-orm';
import { adminEndpoints as endpoints } from '../../../shared/api/admin-endpoints.ts';
import type * as api from '../../../shared/api/admin-person-searches.ts';
import { toIsoTime } from '../../lib/format.ts';
import { readCriteria } from '../../privacy/person-search/criteria.ts';
import { toFoundPersonView } from '../../privacy/person-search/found-people.ts';
import {
  createSearch,
  findSearch,
  getExpiry,
  type PersonSearch,
  stopSearch,
} from '../../privacy/person-search/search-store.ts';
import { buildAuditInsert } from './audit-log.ts';
import { requireFound, route } from './route.ts';

function toView(search: PersonSearch): api.PersonSearchView {
  const { id, createdAt, searched, total, endedAt, isStopped, state } = search;
  const { name, companies } = readCriteria(state.terms);
  return {
    id,
    state: isStopped ? 'stopped' : endedAt === null ? 'running' : 'complete',
    created_at: toIsoTime(createdAt),
    expires_at: toIsoTime(getExpiry(search)),
    terms: state.terms,
    compared: { name, companies },
    searched,
    total,
    people: state.people.flatMap(toFoundPersonView),
    more: state.more,
  };
}

const createPersonSearch = route(endpoints.createPersonSearch, {
  summary: 'Find the stored records of a person by name, company or e-mail address',
  description:
    'Free. A job reads every stored entry once. Terms and results are encrypted and deleted some hours later. The audit log has the id of the search, not its terms.',
  returns: 'The search, which begins',
  handle: async ({ body }, context) => {
    const { env, now, getProvider } = context;
    readCriteria(body);
    await getProvider();
    return toView(
      await createSearch(env, body, now, (id) => buildAuditInsert(context, 'subject.search', id)),
    );
  },
});

const getPersonSearch = route(endpoints.getPersonSearch, {
  summary: 'Get the progress and the results of a search for a person',
  returns: 'The search',
  handle: async ({ params: { id } }, { env, now }) => toView(requireFound(await findSearch(env, id, now))),
});

const stopPersonSearch = route(endpoints.stopPersonSearch, {
  summary: 'Stop a search for a person; what it has found stays until it expires',
  returns: 'The search',
  handle: async ({ params: { id } }, context) => {
    const { env, now } = context;
    requireFound(await findSearch(env, id, now));
    const entry = buildAuditInsert(context, 'subject.search_stop', id, {}, sql`changes() > 0`);
    await stopSearch(env, id, now, entry);
    return toView(requireFound(await findSearch(env, id, now)));
  },
});

export const personSearchRoutes = { createPersonSearch, getPersonSearch, stopPersonSearch };
