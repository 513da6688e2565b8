// A gateway that matches the names of the tests, and records the calls.
import type { HostRequest, Workbook } from '../../../../addon/dev/host/types.ts';
import type { MatchEstimateResponse, MatchRequest, MatchResponse } from '../../../../shared/api/match.ts';
import { gateway, openSidebar, parseBody, type Sidebar } from '../../server/sidebar.ts';
import { createResponse } from '../../spreadsheet.ts';

const RECORD_CREDITS = 10;

/** Matches names that begin with "Acme"; the companies 7 and 8 could be "Twin". */
function matchName(name: string): MatchResponse['matches'][number] {
  const candidates = [{ id: '7', confidence: 0.9, name: `${name} GmbH`, country: 'Germany' }];
  const base = { name, confidence: 0.9, candidates };
  if (name.startsWith('Acme')) {
    const record = { name: `${name} GmbH`, founded: 1999 };
    return { ...base, state: 'match', status: 'fetched', record, credits: RECORD_CREDITS };
  }
  if (/^(?:Twin|TWIN)/.test(name))
    return { ...base, state: 'ambiguous', candidates: [...candidates, { id: '8', confidence: 0.9 }] };
  return { ...base, state: 'none', confidence: 0, candidates: [] };
}

/**
 * Opens a spreadsheet, and records the calls that match names.
 * @param estimate - answers estimates; without it, names have only their highest price
 * @param now - the time, in ms since 1970
 */
export async function openMatching(
  workbook: Workbook,
  estimate?: (body: MatchRequest) => Partial<MatchEstimateResponse>,
  now: () => number = Date.now,
): Promise<{ sidebar: Sidebar; calls: MatchRequest[] }> {
  const calls: MatchRequest[] = [];
  const fetch = async (request: HostRequest) => {
    if (estimate !== undefined && request.url.endsWith('/match/estimate')) {
      const body = parseBody(request) as MatchRequest;
      const none = { companies: 0, found: 0, candidates: 0, to_fetch: 0, comparison: 0, unfinished: 0 };
      return createResponse(200, { ...none, records: 0, ...estimate(body) });
    }
    if (!request.url.endsWith('/match')) return gateway.fetch(request);
    const body = parseBody(request) as MatchRequest;
    calls.push(body);
    const matches = body.companies.map(({ name }) => matchName(name));
    const spent = matches.reduce((sum, { credits = 0 }) => sum + credits, 0);
    return createResponse(200, { matches, credits: { spent, saved: 0, remaining: null }, stamp: 'one' });
  };
  return { sidebar: await openSidebar({ workbook, fetch, now }), calls };
}
