// Addresses of a team's pages, and of its calls in the admin API.

/** Returns the address of a team's page. */
export const getTeamPage = (id = ''): string => `/console/teams/${encodeURIComponent(id)}`;

/** Returns the path of a team in the admin API. */
export const getTeamPath = (id = ''): string => `/teams/${encodeURIComponent(id)}`;

/** Returns the address of a team's unclear calls. */
export const getUnclearPage = (id = ''): string => `${getTeamPage(id)}/unclear`;

/** Returns the address of a team's disputed charges. */
export const getDisputedPage = (id = ''): string => `${getTeamPage(id)}/disputed`;

/** Start of the addresses of domains, which the page of the people lists. */
export const DOMAINS = '/console/domains';

/** Address of the people. */
export const PEOPLE = '/console/people';

/** Returns the address of a person's page. */
export const getPersonPage = (id = ''): string => `${PEOPLE}/${encodeURIComponent(id)}`;
