// npm run import: works in a fresh clone and through a running instance, and stops on Ctrl-C.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acquireLock, readLock } from '../../../worker/commands/instance/lock.ts';
import { createSession } from '../../../worker/commands/instance/session.ts';
import { listen } from '../../faults/listen.ts';
import { cloneProject, filterRunning, listProcessTree, startCommand } from './command.ts';

let top: string;
let dev: string;
let caller: string;
beforeAll(async () => {
  top = await mkdtemp(join(tmpdir(), 'cdapi-import-command-'));
  [dev, caller] = [join(top, 'dev'), join(top, 'caller')];
  await mkdir(caller);
  const files = {
    'companies.csv': 'Nr,name,Web\u001b[31m\n1,One,\nx\u001b[31m,Two,\n3,Three,\n',
    'map.json': '{"Nr": "id"}',
    'none.csv': 'id,name\nx,y\n',
    // Long enough to be interrupted.
    'many.csv': `id,name\n${Array.from({ length: 50_000 }, (_, at) => `${at + 1},Company ${at}\n`).join('')}`,
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

it('imports in a fresh clone with nothing built and nothing running', async () => {
  const clone = join(top, 'clone');
  await mkdir(clone);
  await cloneProject(clone);
  const { exited, output } = start(['--map', 'map.json', 'companies.csv'], clone);
  expect(await exited).toBe(0);
  expect(output().trim().split('\n')).toEqual([
    'No running instance was found: working on the stored data.',
    'Headings, separated by ,: Nr → id, name',
    'Ignored headings: Web�[31m',
    'company_clean: 2 added, 0 changed, 0 unchanged',
    'company_base: 2 added, 0 changed, 0 unchanged',
    '1 line refused:',
    expect.stringMatching(/^ {2}line 3: .*"x\ufffd\[31m"/),
  ]);
  expect(await readLock(dev)).toBeUndefined();
  expect(JSON.parse(await readFile(join(dev, 'session.json'), 'utf8'))).not.toHaveProperty('url');
}, 120_000);

it('imports through the instance that holds the folder, and fails if every line is refused', async () => {
  const { origin: url, close } = await listen((_, response) => response.end('{}'));
  const lock = await acquireLock(dev, { url, temporary: false });
  try {
    await createSession(dev, { url, temporary: false });
    const { exited, output } = start(['none.csv']);
    expect(await exited).toBe(1);
    expect(output()).toMatch(/^Headings, separated by ,: id, name\n1 line refused:/);
  } finally {
    await lock.release();
    await close();
  }
});

it('stops on Ctrl-C with one sentence and leaves nothing running', async () => {
  const { child, exited, interrupt, output } = start(['many.csv']);
  await expect.poll(() => readLock(dev), { timeout: 60_000, interval: 50 }).toHaveProperty('worker');
  const processes = listProcessTree(child.pid ?? 0);
  expect(processes.length).toBeGreaterThan(2);
  interrupt();
  expect(await exited).toBe(1);
  expect(output()).toMatch(/\nStopped before the end; what was done so far is kept\.\n$/);
  expect(output()).not.toContain('    at ');
  expect(filterRunning(processes)).toEqual([]);
  expect(await readLock(dev)).toBeUndefined();
}, 120_000);
