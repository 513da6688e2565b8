// A development instance from its seeding to a restart: what it resumes, prints and keeps on disk.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Instance, startInstance } from '../../../worker/commands/instance/instance.ts';
import { seedSandbox } from '../../../worker/commands/instance/seed.ts';

const WEBSITE = 'private-website.example';
const BROKEN_WEBSITE = 'broken-answer.example';
const patient = { timeout: 30_000 };

/** Lists the files below a folder that contain a text. */
async function findFilesWith(dir: string, text: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const contents = await Promise.all(files.map((file) => readFile(file)));
  return files.filter((_, at) => contents[at]?.includes(text));
}

async function callSheets({ session }: Instance, path: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${session.team_token}` };
  const response = await fetch(`${session.url}/sheets/v1/${path}`, { ...init, headers });
  return JSON.parse(await response.text());
}

it('repeats an interrupted seeding, resumes data requests at once, and keeps no request URL in log or files', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'cdapi-restart-'));
  const lines: string[] = [];
  let instance = await startInstance({ dir, port: 0, logWorker: (line) => lines.push(line), verbose: true });
  onTestFinished(async () => {
    await instance.stop();
    await rm(dir, { recursive: true, force: true });
  });
  const { url, team_token, provider_key } = instance.session;
  const stopping = new AbortController();
  const seeding = seedSandbox(instance.session, dir, 300, () => stopping.abort(), stopping.signal);
  await expect(seeding).rejects.toThrow('aborted');
  await seedSandbox(instance.session, dir, 5, () => {});

  const printed = () => lines.join('\n');
  const faults = [{ operation: 'enrich', status: 200, body: '{"id":', times: 1 }];
  const headers = { apikey: provider_key };
  await fetch(`${url}/provider/control`, { method: 'PUT', headers, body: JSON.stringify({ faults }) });
  const enrich = (website: string, apikey: string) =>
    fetch(`${url}/cdapi/v2/company_clean/enrich?website=${website}`, { headers: { apikey } });
  await enrich(BROKEN_WEBSITE, team_token);
  // The gateway stores nothing for an unknown token.
  await enrich(WEBSITE, 'unknown');
  await expect.poll(printed, patient).toContain('"event":"provider_response_unreadable"');
  await expect.poll(printed, patient).toContain('"route":"/cdapi/v2/company_clean/enrich"');

  const body = JSON.stringify({ family: 'company_clean', kind: 'es_dsl', es_dsl: { match_all: {} } });
  const { id } = await callSheets(instance, 'requests', { method: 'POST', body });
  const readState = async () => (await callSheets(instance, `requests/${id}`)).state;
  await expect.poll(readState, patient).toBe('running');
  await instance.stop();
  expect(lines.filter((line) => line.includes('GET /'))).toEqual([]);
  for (const website of [WEBSITE, BROKEN_WEBSITE]) expect(printed()).not.toContain(website);
  expect(await findFilesWith(dir, WEBSITE)).toEqual([]);
  // The search covers the stored data.
  expect(await findFilesWith(dir, 'teams')).not.toEqual([]);

  instance = await startInstance({ dir, port: 0 });
  // Health compares the secrets with the data of the first start.
  expect((await fetch(`${instance.session.url}/health`)).status).toBe(200);
  // Earlier than any cron or alarm that was due before the stop.
  await expect.poll(readState, patient).toBe('ready');
  expect(await callSheets(instance, `requests/${id}`)).toMatchObject({ rows: 5, credits: { charged: 50 } });
}, 180_000);
