// Addresses of pages. Keys of records are sent in bodies, never in addresses.
import type { Page } from '../context.ts';

/** Returns the address of a page, with the names of its parameters. */
export const getAddress = ({ path }: Pick<Page, 'path'>): string => `/console${path === '/' ? '' : path}`;

export const getTeamPage = (id = ''): string => `/console/teams/${encodeURIComponent(id)}`;

export const getTokenPage = (team = '', token = ''): string =>
  `${getTeamPage(team)}/tokens/${encodeURIComponent(token)}`;

export const PEOPLE = '/console/people';

export const getPersonPage = (id = ''): string => `${PEOPLE}/${encodeURIComponent(id)}`;

export const TEAM_RULES = '/console/team-rules';

export const COSTS_BY_PERSON = '/console/costs/people';

export const RECORDS = '/console/records';
export const ERASURES = `${RECORDS}/erasures`;
export const REFUSED_KEYS = `${RECORDS}/refused-keys`;

export const PERSON_SEARCHES = `${RECORDS}/people`;

export const getPersonSearchPage = (id: string): string => `${PERSON_SEARCHES}/${encodeURIComponent(id)}`;

/** Returns the address of the proof of an erasure. */
export const getErasurePage = (id: string): string => `${ERASURES}/${encodeURIComponent(id)}`;

/** Address of the bulk orders, and start of the addresses of other activity. */
export const ACTIVITY = '/console/activity';
