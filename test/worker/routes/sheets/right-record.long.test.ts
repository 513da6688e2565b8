// The inputs of ../shared/data/right-record.json through the gateway: the right record or none, and nothing paid for none.
import { exports as worker } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { LookupResponse } from '../../../../shared/api/lookup.ts';
import type { MatchRequest, MatchResponse } from '../../../../shared/api/match.ts';
import type { Family, KeyFormat } from '../../../../shared/families/index.ts';
import { hasRightRecord, rightNames, websites, wrongNames } from '../../../right-record.ts';
import { buildCompanyResponse, createGateway, type Gateway } from '../../harness.ts';
import { put } from '../../sandbox/client.ts';
import { type ApiClient, createClient } from './callers.ts';
import { newTeam } from './fixtures.ts';

const RIGHT_FROM = 951_001;
const WRONG_FROM = 952_001;
const PREVIEW_CREDITS = 10;

/** The deployed app with the sandbox. */
const withSandbox: Gateway = {
  ...createGateway(buildCompanyResponse),
  request: (path, init) => worker.default.fetch(`http://127.0.0.1${path}`, init),
};
const createSandboxClient = (): Promise<ApiClient> => createClient(newTeam(), {}, withSandbox);

const match = (client: ApiClient, companies: MatchRequest['companies']) =>
  client.ok<MatchResponse>('POST', '/match', { family: 'company_clean', companies, fields: ['id'] });

describe.skipIf(!hasRightRecord)('in ../shared/data/right-record.json', () => {
  beforeAll(async () => {
    const toRecord = (id: number, name: string, country: string) => ({
      id,
      name,
      websites_main: `https://site-${id}.example`,
      location_hq_country: country,
    });
    const right = new Map(rightNames.map(({ record, country }) => [record, country]));
    const wrong = wrongNames.map(({ record }) => record);
    await put('company_clean', [
      ...[...right].map(([record, country], at) => toRecord(RIGHT_FROM + at, record, country)),
      ...wrong.map((record, at) => toRecord(WRONG_FROM + at, record, 'Germany')),
    ]);
  });

  it('each name is its record', async () => {
    const client = await createSandboxClient();
    const ids = [...new Set(rightNames.map(({ record }) => record))];
    for (const { record, companies } of rightNames) {
      const { matches } = await match(client, companies);
      const id = String(RIGHT_FROM + ids.indexOf(record));
      expect(matches.map(({ name, state, candidates }) => [name, state, candidates[0]?.id])).toEqual(
        companies.map(({ name }) => [name, 'match', id]),
      );
    }
  });

  it('no name is the record of another company, and none is bought', async () => {
    const client = await createSandboxClient();
    const names = wrongNames.flatMap(({ typed }) => typed);
    const { matches, credits } = await match(
      client,
      names.map((name) => ({ name })),
    );
    expect(matches.filter(({ state }) => state === 'match')).toEqual([]);
    expect(credits.spent).toBeLessThanOrEqual(PREVIEW_CREDITS);
  });

  const lookUp = async (family: Family, by: KeyFormat, keys: string[]) => {
    const gateway = createGateway(buildCompanyResponse);
    const client = await createClient(newTeam(), {}, gateway);
    const { rows, credits } = await client.ok<LookupResponse>('POST', '/lookup', {
      family,
      by,
      keys,
      fields: ['id'],
    });
    return {
      statuses: new Set(rows.map(({ status }) => status)),
      spent: credits.spent,
      sent: gateway.requestedKeys,
    };
  };
  const nothing = { statuses: new Set(['invalid']), spent: 0, sent: [] };

  it('each cell is its website', async () => {
    const hosts = { ...websites.same_host };
    for (const [page, host] of Object.entries(websites.own_page_of_a_website))
      hosts[host] = [...(hosts[host] ?? []), page];
    for (const [host, cells] of Object.entries(hosts))
      expect((await lookUp('company_clean', 'website', cells)).sent).toEqual([host]);
  });

  it.each<[Family, KeyFormat, string[]]>([
    ['company_clean', 'website', [...websites.no_company, ...websites.names_not_hosts]],
    ['company_clean', 'auto', [...websites.no_company, ...websites.names_not_hosts]],
    ['company_base', 'auto', [...Object.keys(websites.own_page_of_a_website), ...websites.names_not_hosts]],
    ['employee_clean', 'auto', Object.keys(websites.own_page_of_a_website)],
  ])('a cell that is no key of %s by %s costs nothing', async (family, by, cells) => {
    expect(await lookUp(family, by, cells)).toEqual(nothing);
  });
});
