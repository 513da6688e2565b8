// npm run measure:memory: the heap of one isolate with the Worker, 64 single-flight objects, ten ledgers and the provider throttle at peak load.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { startProvider } from '../../faults/provider/provider.ts';
import { type RunningGateway, startGateway } from '../load/workerd.ts';
import { openHeap } from './heap.ts';

const TEAMS = 10;
/** Of each team. */
const KEYS = 50;
const RECORD_BYTES = 90_000;
const LATENCY_MS = 1_000;
/** With the latency, a hundred calls are in progress. */
const RATE_PER_S = 100;
const MAX_BYTES = 100_000_000;

const toMb = (bytes: number): number => Math.round(bytes / 1e6);

async function post({ host, port }: RunningGateway, path: string, token: string, body: unknown) {
  const response = await fetch(`http://${host}:${port}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'cdapi-memory-'));
  const secrets = () => randomBytes(32).toString('hex');
  const [admin, apiKey] = [secrets(), secrets()];
  const provider = await startProvider({
    apiKey,
    latencyMs: LATENCY_MS,
    perS: RATE_PER_S,
    recordBytes: RECORD_BYTES,
  });
  const vars = {
    CDAPI_BASE_URL: provider.baseUrl,
    CDAPI_KEY: apiKey,
    PSEUDONYM_SECRET: secrets(),
    ENCRYPTION_SECRET: secrets(),
    ADMIN_TOKEN: admin,
    PROVIDER_RATE_PER_S: String(RATE_PER_S),
  };
  const gateway = await startGateway(folder, vars, undefined, true);
  const heap = await openHeap(await gateway.getInspectorUrl());
  try {
    const tokens: string[] = [];
    // One after the other, so that workerd is warm before the load.
    for (let at = 0; at < TEAMS; at += 1) {
      const team = { name: `team ${at}`, budget: { day: null } };
      const { id } = z.object({ id: z.string() }).parse(await post(gateway, '/admin/v1/teams', admin, team));
      const issued = await post(gateway, `/admin/v1/teams/${id}/tokens`, admin, { name: 'token' });
      tokens.push(z.object({ token: z.string() }).parse(issued).token);
    }
    let isBusy = true;
    const lookups = Promise.all(
      tokens.map((token, team) => {
        const keys = Array.from({ length: KEYS }, (_, at) => String(1 + team * KEYS + at));
        const body = { family: 'company_base', by: 'id', keys, fields: ['id'] };
        return post(gateway, '/sheets/v1/lookup', token, body);
      }),
    ).finally(() => {
      isBusy = false;
    });
    const samples: number[] = [];
    while (isBusy) samples.push(await heap.read());
    await lookups;
    console.log(
      `${samples.length} samples, ${toMb(Math.min(...samples))} to ${toMb(Math.max(...samples))} MB`,
    );
    if (Math.max(...samples) >= MAX_BYTES) process.exitCode = 1;
  } finally {
    heap.close();
    await gateway.stop();
    await provider.close();
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
