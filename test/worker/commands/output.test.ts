// What an instance prints of its Worker, and what it leaves on disk.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Instance, startInstance } from '../../../worker/commands/instance.ts';

const WEBSITE = 'private-website.example';

let dir: string;
let instance: Instance | undefined;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cdapi-output-'));
});
afterEach(async () => {
  await instance?.stop();
  instance = undefined;
  await rm(dir, { recursive: true, force: true });
});

/** The files below a folder that hold a text. */
async function filesWith(text: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const contents = await Promise.all(files.map((file) => readFile(file)));
  return files.filter((_, at) => contents[at]?.includes(text));
}

/** Removes a table from the stored databases: each lookup then ends with an error of the Worker. */
async function breakDatabase(): Promise<void> {
  await (await startInstance({ dir, port: 0 })).stop();
  const databases = join(dir, 'state', 'v3', 'd1', 'miniflare-D1DatabaseObject');
  for (const name of await readdir(databases)) {
    if (!name.endsWith('.sqlite')) continue;
    const database = new DatabaseSync(join(databases, name));
    database.exec('DROP TABLE IF EXISTS erased_keys');
    database.close();
  }
}

async function start(verbose: boolean): Promise<{ lines: string[]; ask: () => Promise<Response> }> {
  await breakDatabase();
  const lines: string[] = [];
  const started = await startInstance({ dir, port: 0, logWorker: (line) => lines.push(line), verbose });
  instance = started;
  const { url, team_token: apikey } = started.session;
  return {
    lines,
    ask: () => fetch(`${url}/cdapi/v2/company_clean/enrich?website=${WEBSITE}`, { headers: { apikey } }),
  };
}

// Issue: "`npm start` swallows the Worker's output: print warnings and errors, requests with `--verbose`".
describe('the Worker’s output', () => {
  it('is warnings and errors, without the lines of requests', async () => {
    const { lines, ask } = await start(false);
    expect((await ask()).status).toBe(503);
    await expect.poll(() => lines.join('\n')).toContain('"event":"flight_lost"');
    expect(lines.join('\n')).not.toContain('"event":"request"');
    expect(lines.join('\n')).not.toContain(WEBSITE);
  });

  it('has a line for each request with --verbose, and no address of one', async () => {
    const { lines, ask } = await start(true);
    await ask();
    await expect.poll(() => lines.join('\n')).toContain('"route":"/cdapi/v2/company_clean/enrich"');
    await expect.poll(() => lines.join('\n')).toContain('"event":"flight_lost"');
    expect(lines.filter((line) => line.includes('GET /'))).toEqual([]);
    expect(lines.join('\n')).not.toContain(WEBSITE);
  });
});

// Issue: "The local trace store keeps full request URLs with websites and profile names, also after an erasure: switch it off
// in development."
describe('the local trace store', () => {
  it('keeps no request URL, and that of earlier versions is deleted', async () => {
    const earlier = join(dir, 'state', 'v3', 'observability');
    await mkdir(earlier, { recursive: true });
    await writeFile(join(earlier, 'traces.sqlite'), WEBSITE);
    const { lines, ask } = await start(false);
    await ask();
    await expect.poll(() => lines.join('\n')).toContain('"event":"flight_lost"');
    await instance?.stop();
    instance = undefined;
    expect(await filesWith(WEBSITE)).toEqual([]);
    // It looks where the data is.
    expect(await filesWith('teams')).not.toEqual([]);
  });
});
