// npm run import as a command: files are where its caller is, and it needs nothing built and nothing running.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstance } from '../../../worker/commands/instance/instance.ts';
import { readLock } from '../../../worker/commands/instance/lock.ts';
import { cloneProject, filterRunning, listProcessTree, startCommand } from './command.ts';

let top: string;
let dev: string;
let caller: string;
beforeAll(async () => {
  top = await mkdtemp(join(tmpdir(), 'cdapi-import-command-'));
  dev = join(top, 'dev');
  caller = join(top, 'caller');
  await mkdir(caller);
  const files = {
    'companies.csv': 'Nr,name\n1,One\nx,Two\n3,Three\n',
    'map.json': '{"Nr": "id"}',
    'list.json': '["id"]',
    'wrong.json': '{"Nr": "idd"}',
    'none.csv': 'id,name\nx,y\n',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(caller, name), text);
});
afterAll(() => rm(top, { recursive: true }));

function start(args: readonly string[], clone?: string) {
  return startCommand(['worker/commands/import.ts', ...args], {
    ...(clone === undefined ? {} : { top: clone }),
    env: { DEV_DIR: dev, INIT_CWD: caller },
  });
}

async function importing(...args: string[]): Promise<{ code: number | null; printed: string }> {
  const { exited, output: printed } = start(args);
  return { code: await exited, printed: printed() };
}

describe('npm run import', () => {
  it.each([
    ['no file', [], 'Usage: npm run import'],
    ['two files', ['companies.csv', 'companies.csv'], 'Usage: npm run import'],
    ['an unknown option', ['--mapp', 'map.json', 'companies.csv'], 'Usage: npm run import'],
    ['an unknown family', ['--family', 'company', 'companies.csv'], 'The families are company_clean, '],
    ['a file that is not there', ['nothing.csv'], 'There is no file'],
    ['a folder', ['.'], 'There is no file'],
    ['a map that is not there', ['--map', 'nothing.json', 'companies.csv'], 'There is no file'],
    ['a map that is none', ['--map', 'list.json', 'companies.csv'], 'list.json is no map'],
    [
      'a map to an unknown heading',
      ['--map', 'wrong.json', 'companies.csv'],
      'wrong.json leads "Nr" to "idd". The known headings are id, name,',
    ],
  ])('refuses %s in one sentence', async (_, args, sentence) => {
    const { code, printed } = await importing(...args);
    expect(code).toBe(1);
    expect(printed).toContain(sentence);
    expect(printed.trim()).not.toContain('\n');
  });

  it('works in a fresh clone with nothing built and nothing running, and leaves nothing running', async () => {
    const clone = join(top, 'clone');
    await mkdir(clone);
    await cloneProject(clone);
    const { exited, output: printed } = start(['--map', 'map.json', 'companies.csv'], clone);
    expect(await exited).toBe(0);
    expect(printed().trim().split('\n')).toEqual([
      'No running instance was found: working on the stored data.',
      'company_clean: 2 added, 0 changed, 0 unchanged',
      'company_base: 2 added, 0 changed, 0 unchanged',
      '1 line refused:',
      expect.stringMatching(/^ {2}line 3: .*"x"/),
    ]);
    expect(await readLock(dev)).toBeUndefined();
    expect(JSON.parse(await readFile(join(dev, 'session.json'), 'utf8'))).not.toHaveProperty('url');
  }, 120_000);

  it('works through the instance that runs on the folder, wherever it answers', async () => {
    const instance = await startInstance({ dir: dev, port: 0 });
    try {
      const again = await importing('--map', 'map.json', 'companies.csv');
      expect(again.printed).not.toContain('No running instance');
      expect(again).toMatchObject({
        code: 0,
        printed: expect.stringContaining('company_clean: 0 added, 0 changed, 2 unchanged'),
      });
      expect(await importing('none.csv')).toMatchObject({
        code: 1,
        printed: expect.stringContaining('1 line refused:'),
      });
      await expect(startInstance({ dir: dev, port: 0 })).rejects.toThrow(
        `Already running at ${instance.session.url}`,
      );
      expect(await readLock(dev)).toMatchObject({ pid: process.pid, url: instance.session.url });
      expect(JSON.parse(await readFile(join(dev, 'session.json'), 'utf8'))).toMatchObject({
        url: instance.session.url,
      });
    } finally {
      await instance.stop();
    }
  }, 120_000);

  it('stopped with Ctrl-C ends in a sentence and leaves nothing running', async () => {
    const running = start(['companies.csv']);
    await expect.poll(() => readLock(dev), { timeout: 60_000, interval: 50 }).toHaveProperty('worker');
    const processes = listProcessTree(running.child.pid ?? 0);
    expect(processes.length).toBeGreaterThan(2);
    running.interrupt();
    expect(await running.exited).toBe(1);
    expect(running.output()).toMatch(/\nStopped before the end; what was done so far is kept\.\n$/);
    expect(running.output()).not.toContain('    at ');
    expect(filterRunning(processes)).toEqual([]);
    expect(await readLock(dev)).toBeUndefined();
  }, 120_000);
});
