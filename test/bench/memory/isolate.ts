// npm run measure:memory: the heap of one isolate with the Worker, 64 single-flight objects, ten ledgers and the provider throttle at peak load.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { type RunningGateway, startGateway } from '../load/workerd.ts';
import { openHeap } from './heap.ts';

const TEAMS = 10;
/** Of each team. */
const KEYS = 50;
const RECORD_CHARACTERS = 90_000;
const LATENCY_MS = 1_000;
/** With the latency, a hundred calls are in progress. */
const RATE_PER_S = 100;
const MAX_BYTES = 100_000_000;

const toMb = (bytes: number): number => Math.round(bytes / 1e6);

/** Starts a provider whose records have 90 KB and take a second. */
async function startProvider(): Promise<{ server: Server; port: number }> {
  const text = 'x'.repeat(RECORD_CHARACTERS);
  const server = createServer((request, response) => {
    const id = Number(/(\d+)$/.exec(request.url ?? '')?.[1]);
    const headers = { 'content-type': 'application/json', 'x-ratelimit-limit-second': String(RATE_PER_S) };
    setTimeout(() => response.writeHead(200, headers).end(JSON.stringify({ id, text })), LATENCY_MS);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: z.object({ port: z.number() }).parse(server.address()).port };
}

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
  const provider = await startProvider();
  const secrets = () => randomBytes(32).toString('hex');
  const admin = secrets();
  const vars = {
    CDAPI_BASE_URL: `http://127.0.0.1:${provider.port}/cdapi`,
    CDAPI_KEY: secrets(),
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
    provider.server.close();
    provider.server.closeAllConnections();
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
