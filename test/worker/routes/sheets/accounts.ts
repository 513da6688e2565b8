// Calls of people and jobs at companies, for tests.
import { exports as worker } from 'cloudflare:workers';
import type { AccountsRequest, AccountsResponse } from '../../../../shared/api/accounts.ts';
import { buildCompanyResponse, createGateway, type Gateway } from '../../harness.ts';
import { type ApiClient, createClient } from './callers.ts';
import { newTeam } from './fixtures.ts';

export const everybody = { es_dsl: { query: { match_all: {} } } };

/** The deployed app with the sandbox. */
const withSandbox: Gateway = {
  ...createGateway(buildCompanyResponse),
  request: (path, init) => worker.default.fetch(`http://127.0.0.1${path}`, init),
};

export const createSandboxClient = (): Promise<ApiClient> => createClient(newTeam(), {}, withSandbox);

export const list = (client: ApiClient, what: 'people' | 'jobs', body: Partial<AccountsRequest>) =>
  client.ok<AccountsResponse>('POST', `/accounts/${what}`, body);

/** Lists the values of the first column by company. */
export const firstCells = ({ accounts }: AccountsResponse) =>
  Object.fromEntries(accounts.map(({ company, rows }) => [company, rows.map(([cell]) => cell)]));
