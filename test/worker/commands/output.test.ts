// What an instance prints of its Worker, and what it leaves on disk.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInstance } from '../../../worker/commands/instance/instance.ts';

const WEBSITE = 'private-website.example';
/** What a busy machine may take. */
const patient = { timeout: 30_000 };

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cdapi-output-'));
  await (await startInstance({ dir, port: 0 })).stop();
  // Without one of its tables each lookup ends with an error of the Worker.
  const databases = join(dir, 'state', 'v3', 'd1', 'miniflare-D1DatabaseObject');
  for (const name of await readdir(databases)) {
    if (!name.endsWith('.sqlite')) continue;
    const database = new DatabaseSync(join(databases, name));
    database.exec('DROP TABLE IF EXISTS erased_keys');
    database.close();
  }
  const earlier = join(dir, 'state', 'v3', 'observability');
  await mkdir(earlier, { recursive: true });
  await writeFile(join(earlier, 'traces.sqlite'), WEBSITE);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** The files below a folder that hold a text. */
async function filesWith(text: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const contents = await Promise.all(files.map((file) => readFile(file)));
  return files.filter((_, at) => contents[at]?.includes(text));
}

// Issue: "`npm start` swallows the Worker's output: print warnings and errors, requests with `--verbose`".
// Issue: "The local trace store keeps full request URLs with websites and profile names, also after an erasure: switch it off
// in development."
it.each([
  ['warnings and errors, without the lines of requests', false],
  ['also a line for each request with --verbose', true],
])(
  'the Worker’s output is %s; no address stands there or in a file, also none of earlier versions',
  async (_, verbose) => {
    const lines: string[] = [];
    const instance = await startInstance({ dir, port: 0, logWorker: (line) => lines.push(line), verbose });
    const printed = () => lines.join('\n');
    try {
      const { url, team_token: apikey } = instance.session;
      const path = `/cdapi/v2/company_clean/enrich?website=${WEBSITE}`;
      expect((await fetch(url + path, { headers: { apikey } })).status).toBe(503);
      await expect.poll(printed, patient).toContain('"event":"single_flight_unreachable"');
      const route = '"route":"/cdapi/v2/company_clean/enrich"';
      if (verbose) await expect.poll(printed, patient).toContain(route);
      else expect(printed()).not.toContain('"event":"request"');
    } finally {
      await instance.stop();
    }
    expect(lines.filter((line) => line.includes('GET /'))).toEqual([]);
    expect(printed()).not.toContain(WEBSITE);
    expect(await filesWith(WEBSITE)).toEqual([]);
    // It looks where the data is.
    expect(await filesWith('teams')).not.toEqual([]);
  },
);
