// A company's connection and a gateway that tells its token from others.
import type { HostOptions } from '../../addon/dev/host/types.ts';
import { companyDomainProperty, companyProperty } from '../../shared/connection.ts';
import { generateToken } from '../../shared/tokens.ts';
import { createResponse, openSpreadsheet, type Spreadsheet } from './spreadsheet.ts';

export const GATEWAY = 'https://data.acme.example';
export const OWNER = 'owner@acme.example';
export const VIEWER = 'viewer@acme.example';
export const ADMIN = 'admin@acme.example';

/** Creates a token that differs by one byte, repeated. */
const createToken = (byte: number): string => generateToken((length) => new Uint8Array(length).fill(byte));
export const TOKENS = { company: createToken(1), sheet: createToken(2), person: createToken(3) };
const TEAMS: Readonly<Record<string, string>> = {
  [TOKENS.company]: 'Company team',
  [TOKENS.sheet]: 'Sheet team',
  [TOKENS.person]: 'Own team',
};

export const toLink = (token: string, url = GATEWAY): string => `${url}/connect#${token}`;
export const toStored = (token: string): string => JSON.stringify({ url: GATEWAY, token });

/** The script properties of a company with a connection. */
export const script = {
  [companyProperty]: toLink(TOKENS.company),
  [companyDomainProperty]: ' acme.example, Acme.test ',
};

/** A gateway that names the team of each token, also as the name of every company. */
const fetch: HostOptions['fetch'] = async ({ url, headers }) => {
  const team = TEAMS[String(headers.Authorization).replace('Bearer ', '')] ?? '';
  if (team === '') return createResponse(401, { code: 'unauthorised' });
  const credits = { spent: 0, saved: 10, remaining: null };
  if (url.endsWith('/lookup')) {
    const rows = [{ key: 'a.com', status: 'hit', record: { name: team }, credits: 0 }];
    return createResponse(200, { rows, credits, stamp: '1' });
  }
  return createResponse(200, {
    ...{ team, budget: { day: 500, month: null }, spent: { day: 0, month: 0 }, saved: { day: 0, month: 0 } },
    ...{ remaining: 420, spending: true, mode: 'live', stamp: '1' },
    scopes: { families: null, operations: null },
  });
};

/** Opens an unconnected spreadsheet of the company. */
export const openOfCompany = (options: Partial<HostOptions> = {}): Promise<Spreadsheet> =>
  openSpreadsheet({
    fetch,
    people: { owner: OWNER, viewer: VIEWER },
    properties: { script, document: {} },
    ...options,
  });

/** Evaluates a formula anew. @returns the team that pays, or the error */
export async function evaluateAnew({ host, evaluate }: Spreadsheet) {
  host.clearResults();
  host.clearCaches();
  const result = await evaluate('CDAPI_ENRICH', 'a.com', 'name');
  return 'values' in result ? result.values[0]?.[0] : result.error;
}
