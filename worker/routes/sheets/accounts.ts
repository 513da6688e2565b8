// /sheets/v1/accounts: people and open jobs at companies.

import { accountFamilies } from '../../../shared/accounts.ts';
import { sheetsEndpoints as endpoints } from '../../../shared/api/sheets-endpoints.ts';
import { requireScope } from '../../gateway/auth/tokens.ts';
import { estimateAccounts, listAccounts } from '../../matching/accounts/list.ts';
import { countAccounts } from '../../matching/accounts/plan.ts';
import { buildStamp, type Route, route } from './route.ts';

export const accountsRoute = route(endpoints.listAtCompanies, {
  summary: 'List people or open jobs at up to 200 companies',
  description:
    'Free searches find the best matches of each company: people by their current job, jobs that are open for applications. Their preview rows are bought in pages of 20, whichever companies they belong to; each page costs 10 credits and cached pages are free. A company that fails has a problem code and does not affect the others. Look up the ids or profile URLs of the rows for full records.',
  returns: 'Columns, and rows for each company',
  handle: async ({ params: { list }, body }, { caller, getGatewayContext, addToLog }) => {
    const family = accountFamilies[list];
    addToLog({ family, operation: 'preview' });
    requireScope(caller, family, 'preview');
    const gateway = await getGatewayContext();
    const answer = await listAccounts(list, body, gateway);
    addToLog({ credits: answer.credits.spent });
    return { ...answer, stamp: buildStamp(gateway, caller) };
  },
});

export const accountsEstimateRoute = route(endpoints.estimateAtCompanies, {
  summary: 'Count people or open jobs at companies, and estimate the price of their rows; free',
  description: 'Takes the body of the list.',
  returns: 'Counts and price',
  handle: async ({ params: { list }, body }, { caller, getGatewayContext }) => {
    requireScope(caller, accountFamilies[list], 'preview');
    return estimateAccounts(list, body, await getGatewayContext());
  },
});

export const accountsCountsRoute = route(endpoints.countAtCompanies, {
  summary: 'Count people or open jobs at up to 1,000 companies; free',
  description:
    'One free search for each company, within the provider’s rate. A company that was not counted in time has the problem `pending`; the next call counts the rest. Counts are kept for 10 minutes.',
  returns: 'The count of each company',
  handle: async ({ params: { list }, body }, { caller, getGatewayContext, addToLog }) => {
    const family = accountFamilies[list];
    addToLog({ family, operation: 'search' });
    requireScope(caller, family, 'search');
    const gateway = await getGatewayContext();
    return { accounts: await countAccounts(list, body, gateway), stamp: buildStamp(gateway, caller) };
  },
});

export const accountRoutes: readonly Route[] = [accountsRoute, accountsEstimateRoute, accountsCountsRoute];
