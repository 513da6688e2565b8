// A gateway in a new isolate, whose records are in KV. Its calls of bindings wait until the test releases them.
import { expect } from 'vitest';
import type { LookupRequest } from '../../../shared/api/lookup.ts';
import type { DevelopmentEnv } from '../../../worker/env.ts';
import { buildCompanyResponse, createGateway, defaultRuntime, type Gateway } from '../harness.ts';
import { Trips } from '../strict/index.ts';

/** A gateway without anything in memory. */
export interface ColdGateway extends Gateway {
  trips: Trips;
  /** Waits until exactly these bindings are called, and releases the calls. */
  finishTrip: (...bindings: string[]) => Promise<void>;
}

let companies = 0;

/** Returns the websites of companies that no other test uses. */
export function createWebsites(count: number): string[] {
  const first = companies + 1;
  companies += count;
  return Array.from({ length: count }, (_, at) => `company-${first + at}.example`);
}

/** Returns the id of a company of {@link buildCompanyResponse}. */
export const toCompanyId = (website: string): string => website.replace(/\D/g, '');

/** Stores companies in KV. @returns creates a new isolate, with settings that override those of the tests */
export async function cacheCompanies(
  websites: string[],
): Promise<(settings?: Partial<DevelopmentEnv>) => ColdGateway> {
  const identity = `cold-${crypto.randomUUID()}`;
  const warm = createGateway(buildCompanyResponse, identity);
  await warm.lookup({ family: 'company_clean', by: 'website', keys: websites, fields: ['name'] });
  await expect.poll(() => warm.kv.writes).toBe(2 * websites.length);
  return (settings) => {
    const trips = new Trips();
    const location = { runtime: defaultRuntime, location: 'here', trips };
    const gateway = createGateway(() => Response.error(), identity, location, settings);
    return {
      ...gateway,
      trips,
      finishTrip: async (...bindings) => {
        await expect.poll(() => trips.held).toEqual(bindings.toSorted());
        trips.release();
      },
    };
  };
}

/** Requests a company in the drop-in API by its website. */
export const collect = ({ request }: Gateway, token: string, website: string, address = 'here') =>
  request(`/cdapi/v2/company_clean/enrich?website=${website}`, {
    headers: { apikey: token, 'cf-connecting-ip': address },
  });

/** Looks up companies in the add-on's API. */
export function lookUp(
  { request }: Gateway,
  token: string,
  keys: string[],
  by: LookupRequest['by'] = 'website',
): Promise<Response> {
  const body = JSON.stringify({ family: 'company_clean', by, keys, fields: ['name'] });
  const headers = { authorization: `Bearer ${token}`, 'content-length': String(body.length) };
  return request('/sheets/v1/lookup', { method: 'POST', headers, body });
}
