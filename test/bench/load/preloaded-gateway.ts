// Prepares a gateway with cached records once and copies it for each round, so that all rounds start equal.
import { randomBytes } from 'node:crypto';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { LookupRequest, LookupResponse } from '../../../shared/api/lookup.ts';
import { startProvider } from './provider.ts';
import { FAMILY } from './records.ts';
import { type RunningWorkerd, startGateway } from './workerd.ts';

/** Ids from 1 to this are cached: more than the memory cache of an isolate holds. */
export const CACHED_RECORDS = 8_000;

const LOOKUP_SIZE = 1_000;
/** The maximum of a token. */
const RATE_PER_MINUTE = 1_000_000;
const DAY_CAP = 10_000_000;

const preloadSchema = z.object({
  /** The provider's port: its address is part of the cache keys. */
  port: z.number(),
  apiKey: z.string(),
  pseudonymSecret: z.string(),
  token: z.string(),
});

/** What a preloaded gateway needs to start again. */
export type Preload = z.infer<typeof preloadSchema>;

/** A gateway with cached records, and its provider. */
export interface PreloadedGateway extends RunningWorkerd {
  token: string;
  lookup: (body: LookupRequest) => Promise<LookupResponse>;
}

const generateSecret = (): string => randomBytes(20).toString('hex');
const teamSchema = z.object({ id: z.string() });
const tokenSchema = z.object({ token: z.string() });

function getSettings({ port, apiKey, pseudonymSecret }: Omit<Preload, 'token'>): Record<string, string> {
  return {
    CDAPI_BASE_URL: `http://127.0.0.1:${port}/cdapi`,
    CDAPI_KEY: apiKey,
    PSEUDONYM_SECRET: pseudonymSecret,
    PROVIDER_RATE_PER_S: '9999',
  };
}

function createLookup({ host, port }: RunningWorkerd, token: string): PreloadedGateway['lookup'] {
  return async (body) => {
    const response = await fetch(`http://${host}:${port}/sheets/v1/lookup`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return JSON.parse(text);
  };
}

/** Creates a team whose token has the maximum rate. @returns the token */
async function createTeam({ host, port }: RunningWorkerd, adminToken: string): Promise<string> {
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const response = await fetch(`http://${host}:${port}/admin/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  };
  const { id } = teamSchema.parse(await post('teams', { name: 'bench', budget: { day: DAY_CAP } }));
  const token = await post(`teams/${id}/tokens`, { name: 'bench', rate_per_minute: RATE_PER_MINUTE });
  return tokenSchema.parse(token).token;
}

async function buyRecords(lookup: PreloadedGateway['lookup'], count: number): Promise<void> {
  for (let from = 1; from <= count; from += LOOKUP_SIZE) {
    const size = Math.min(LOOKUP_SIZE, count - from + 1);
    const keys = Array.from({ length: size }, (_, at) => String(from + at));
    const body: LookupRequest = { family: FAMILY, by: 'id', keys, fields: ['id'] };
    let { rows } = await lookup(body);
    // On a busy machine, calls are still in progress at the deadline.
    while (rows.some(({ status }) => status === 'pending')) ({ rows } = await lookup(body));
    const failedRow = rows.find(({ status }) => status !== 'fetched' && status !== 'hit');
    if (failedRow !== undefined)
      throw new Error(`${failedRow.key} was not bought: ${failedRow.status} ${failedRow.problem ?? ''}`);
  }
}

/**
 * Creates a gateway with cached records.
 * @param folder - receives its stored data and its settings
 */
export async function preloadGateway(folder: string): Promise<void> {
  const provider = await startProvider();
  try {
    const [apiKey, adminToken, pseudonymSecret] = [generateSecret(), generateSecret(), generateSecret()];
    const deployed = { port: provider.port, apiKey, pseudonymSecret };
    const gateway = await startGateway(folder, { ...getSettings(deployed), ADMIN_TOKEN: adminToken });
    try {
      const token = await createTeam(gateway, adminToken);
      await buyRecords(createLookup(gateway, token), CACHED_RECORDS);
      await gateway.waitForRecords(CACHED_RECORDS);
      const preload: Preload = { ...deployed, token };
      await writeFile(join(folder, 'preload.json'), JSON.stringify(preload), { mode: 0o600 });
    } finally {
      await gateway.stop();
    }
  } finally {
    provider.stop();
  }
}

/** Reads the settings of a preloaded gateway. */
export async function readPreload(folder: string): Promise<Preload> {
  return preloadSchema.parse(JSON.parse(await readFile(join(folder, 'preload.json'), 'utf8')));
}

/** Copies the stored data of a preloaded gateway. @returns a function that deletes the copy */
export async function copyState(folder: string, to: string): Promise<() => Promise<void>> {
  const removeCopy = (): Promise<void> => rm(join(to, 'state'), { recursive: true, force: true });
  await removeCopy();
  await cp(join(folder, 'state'), join(to, 'state'), { recursive: true });
  return removeCopy;
}

/**
 * Starts a gateway on a copy of preloaded data.
 * @param folder - the preloaded data
 * @param dir - folder of the copy
 * @param vars - settings that differ from a deployment
 * @param entry - source file of the Worker. Default: the deployed one
 */
export async function startPreloadedGateway(
  folder: string,
  dir: string,
  vars: Readonly<Record<string, string>> = {},
  entry?: string,
): Promise<PreloadedGateway> {
  const preload = await readPreload(folder);
  const removeCopy = await copyState(folder, dir);
  const provider = await startProvider(preload.port);
  try {
    const gateway = await startGateway(dir, { ...getSettings(preload), ...vars }, entry);
    return {
      ...gateway,
      token: preload.token,
      lookup: createLookup(gateway, preload.token),
      stop: async () => {
        await gateway.stop();
        provider.stop();
        await removeCopy();
      },
    };
  } catch (error) {
    provider.stop();
    throw error;
  }
}
