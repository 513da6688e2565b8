// /sheets/v1/accounts: people and open jobs at companies.
import * as z from 'zod';
import { accountFamilies, accountLists } from '../../../shared/accounts.ts';
import {
  accountCountsRequest,
  accountCountsResponse,
  accountList,
  accountsEstimateResponse,
  accountsRequest,
  accountsResponse,
} from '../../../shared/api/accounts.ts';
import { requireScope } from '../../gateway/auth/tokens.ts';
import { estimateAccounts, listAccounts } from '../../matching/accounts/list.ts';
import { countAccounts } from '../../matching/accounts/plan.ts';
import { buildStamp, queryProblems, type Route, route } from './route.ts';

const PATH = '/accounts/{list}';

const request = z.object({ params: z.object({ list: accountList }), body: accountsRequest });

export const accountsRoute = route({
  method: 'POST',
  path: PATH,
  summary: 'List people or open jobs at up to 200 companies',
  description:
    'Free searches find the best matches of each company: people by their current job, jobs that are open for applications. Their preview rows are bought in pages of 20, whichever companies they belong to; each page costs 10 credits and cached pages are free. A company that fails has a problem code and does not affect the others. Look up the ids or profile URLs of the rows for full records.',
  problems: [...queryProblems, 'price_changed', 'not_found'],
  request,
  success: { status: 200, description: 'Columns, and rows for each company', schema: accountsResponse },
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

export const accountsEstimateRoute = route({
  method: 'POST',
  path: `${PATH}/estimate`,
  summary: 'Count people or open jobs at companies, and estimate the price of their rows; free',
  description: 'Takes the body of the list.',
  problems: [...queryProblems, 'not_found'],
  request,
  success: { status: 200, description: 'Counts and price', schema: accountsEstimateResponse },
  handle: async ({ params: { list }, body }, { caller, getGatewayContext }) => {
    requireScope(caller, accountFamilies[list], 'preview');
    return estimateAccounts(list, body, await getGatewayContext());
  },
});

export const accountsCountsRoute = route({
  method: 'POST',
  path: `${PATH}/counts`,
  summary: 'Count people or open jobs at up to 1,000 companies; free',
  description:
    'One free search for each company, within the provider’s rate. A company that was not counted in time has the problem `pending`; the next call counts the rest. Counts are kept for 10 minutes.',
  problems: [...queryProblems, 'not_found'],
  request: z.object({ params: z.object({ list: accountList }), body: accountCountsRequest }),
  success: { status: 200, description: 'The count of each company', schema: accountCountsResponse },
  handle: async ({ params: { list }, body }, { caller, getGatewayContext, addToLog }) => {
    const family = accountFamilies[list];
    addToLog({ family, operation: 'search' });
    requireScope(caller, family, 'search');
    const gateway = await getGatewayContext();
    return { accounts: await countAccounts(list, body, gateway), stamp: buildStamp(gateway, caller) };
  },
});

export const accountRoutes: readonly Route[] = [accountsRoute, accountsEstimateRoute, accountsCountsRoute];

/** Paths below the prefix. Their calls store nothing for others. */
export const accountPaths: readonly string[] = accountLists.flatMap((list) => {
  const path = PATH.replace('{list}', list);
  return [path, `${path}/estimate`, `${path}/counts`];
});
