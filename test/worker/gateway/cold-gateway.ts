// A gateway in a new isolate, whose records are in KV. Its calls of bindings wait until the test releases them.
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { LookupRequest } from '../../../shared/api/lookup.ts';
import type { DevelopmentEnv } from '../../../worker/env.ts';
import { toLookupKvKey } from '../../../worker/gateway/cache/cache-keys.ts';
import { toRecord } from '../../../worker/gateway/cache/content.ts';
import { encodeAlias, encodeEnvelope } from '../../../worker/gateway/cache/envelope.ts';
import { createGateway, defaultRuntime, type Gateway } from '../harness.ts';
import { clock } from '../platform.ts';
import { Trips } from '../strict/index.ts';

/** A gateway without anything in memory. */
export interface ColdGateway extends Gateway {
  trips: Trips;
  /** Waits until exactly these bindings are called, and releases the calls. */
  finishTrip: (...bindings: string[]) => Promise<void>;
}

const FAMILY = 'company_clean';
const DAY_MS = 86_400_000;

let companies = 0;

/** Returns the websites of companies that no other test uses. */
export function createWebsites(count: number): string[] {
  const first = companies + 1;
  companies += count;
  return Array.from({ length: count }, (_, at) => `company-${first + at}.example`);
}

/** Returns the id of a company of {@link createWebsites}. */
export const toCompanyId = (website: string): string => website.replace(/\D/g, '');

/**
 * Stores companies in KV.
 * @param identity - of the provider. Default: of a sandbox
 * @returns creates a new isolate, with settings that override those of the tests
 */
export async function cacheCompanies(
  websites: string[],
  identity = `cold-${crypto.randomUUID()}`,
): Promise<(settings?: Partial<DevelopmentEnv>) => ColdGateway> {
  const keepUntil = clock.now + DAY_MS;
  const writes = websites.flatMap((website) => {
    const value = toCompanyId(website);
    const record = { id: Number(value), name: website, websites_main: website };
    const envelope = { content: toRecord(record), fetchedAt: clock.now, freshUntil: keepUntil, keepUntil };
    const alias = { family: FAMILY, kind: 'website', value: website } as const;
    return [
      env.RECORDS.put(
        toLookupKvKey(identity, { family: FAMILY, kind: 'id', value }),
        encodeEnvelope(envelope),
      ),
      env.RECORDS.put(toLookupKvKey(identity, alias), encodeAlias(`${FAMILY}:id:${value}`)),
    ];
  });
  await Promise.all(writes);
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
  const body = JSON.stringify({ family: FAMILY, by, keys, fields: ['name'] });
  const headers = { authorization: `Bearer ${token}`, 'content-length': String(body.length) };
  return request('/sheets/v1/lookup', { method: 'POST', headers, body });
}
