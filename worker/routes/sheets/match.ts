// /sheets/v1/match: company names to records.
import type { MatchRequest } from '../../../shared/api/match.ts';
import { sheetsEndpoints as endpoints } from '../../../shared/api/sheets-endpoints.ts';
import { describeUnknownRecordFields } from '../../../shared/query/known-fields.ts';
import { type Caller, requireScope } from '../../gateway/auth/tokens.ts';
import { rejectUnknownFields } from '../../gateway/query.ts';
import { estimateMatch, matchNames } from '../../matching/match.ts';
import { buildStamp, type Route, route } from './route.ts';

/** @throws ProblemError `forbidden_scope` or `unknown_field` */
function requireMatch(
  caller: Caller,
  { family, previews, fields, any_fields: anyFields }: MatchRequest,
): void {
  requireScope(caller, family, 'search');
  if (previews !== false) requireScope(caller, family, 'preview');
  if (fields === undefined) return;
  requireScope(caller, family, 'collect');
  if (anyFields !== true) rejectUnknownFields(describeUnknownRecordFields(family, fields));
}

export const matchRoute = route(endpoints.matchNames, {
  summary: 'Match up to 50 company names to records',
  description:
    'Free searches find up to three candidates for each name, from precise to vague. Preview pages show the names, countries and websites of the candidates of all names: a page compares 20 of them, cached pages and records are free. Each candidate has a confidence from 0 to 1. A match is above the threshold and clearly ahead of the next candidate. With `fields`, the records of the matches are bought, and their names are checked.',
  returns: 'The decision about each company',
  handle: async ({ body }, { caller, getGatewayContext, addToLog }) => {
    addToLog({ family: body.family, operation: 'match' });
    requireMatch(caller, body);
    const gateway = await getGatewayContext();
    const answer = await matchNames(body, gateway);
    addToLog({ credits: answer.credits.spent });
    return { ...answer, stamp: buildStamp(gateway, caller) };
  },
});

export const matchEstimateRoute = route(endpoints.estimateMatch, {
  summary: 'Search candidates for company names, and estimate the price of comparing them; free',
  description: 'Takes the body of the match.',
  returns: 'Counts and price',
  handle: async ({ body }, { caller, getGatewayContext }) => {
    requireMatch(caller, body);
    return estimateMatch(body, await getGatewayContext());
  },
});

export const matchRoutes: readonly Route[] = [matchRoute, matchEstimateRoute];
