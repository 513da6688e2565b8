// npm start: one command, clear sentences, and it stops without a trace.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { parseConnectionLink } from '../../../shared/connection.ts';
import { root } from '../../../worker/commands/paths.ts';

let dir: string;
let child: ChildProcess | undefined;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cdapi-start-'));
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await rm(dir, { recursive: true, force: true });
});

/** Runs the command as npm does; what it prints is collected. */
function start(settings: Record<string, string>) {
  const script = join(root, 'worker/commands/run.mjs');
  const running = spawn(process.execPath, [script, 'worker/commands/start.ts'], {
    env: { ...process.env, DEV_DIR: dir, ...settings },
  });
  child = running;
  let printed = '';
  const keep = (chunk: Buffer): void => {
    printed += chunk.toString();
  };
  running.stdout.on('data', keep);
  running.stderr.on('data', keep);
  const ended = new Promise<number | null>((resolve) => running.on('exit', resolve));
  return { running, ended, printed: () => printed };
}

describe('npm start', () => {
  it('says that a port is taken, and what to do', async () => {
    const { port } = new URL(inject('session').url);
    const { ended, printed } = start({ PORT: port });
    expect(await ended).toBe(1);
    expect(printed()).toContain(`Port ${port} is taken.`);
    expect(printed()).toContain(`PORT=${Number(port) + 1} npm start`);
    expect(printed()).not.toContain('    at ');
  });

  it.each([
    ['a key alone', { CDAPI_KEY: 'secret-key' }, 'CDAPI_BASE_URL is not: set both, or neither.'],
    [
      'an address alone',
      { CDAPI_BASE_URL: 'https://api.example/cdapi' },
      'CDAPI_KEY is not: set both, or neither.',
    ],
    [
      'an address without https',
      { CDAPI_BASE_URL: 'http://api.example/cdapi', CDAPI_KEY: 'secret-key' },
      'https',
    ],
    ['a port that is no number', { PORT: 'eighty' }, 'PORT is a number'],
  ])('refuses %s in one sentence', async (_, settings, sentence) => {
    const { ended, printed } = start(settings);
    expect(await ended).toBe(1);
    expect(printed()).toContain(sentence);
    expect(printed()).not.toContain('secret-key');
    expect(printed().trim()).not.toContain('\n');
  });

  it('starts, seeds, prints where it is, keeps its keys private, and stops on Ctrl-C', async () => {
    const probe = 18_787 + (process.pid % 1000);
    const { running, ended, printed } = start({ PORT: String(probe) });
    await expect.poll(printed, { timeout: 90_000, interval: 200 }).toContain('Ctrl-C stops it');
    const url = `http://127.0.0.1:${probe}`;
    expect(printed()).toContain(`Playground       ${url}/`);
    const file = join(dir, 'session.json');
    const session = JSON.parse(await readFile(file, 'utf8'));
    expect(Object.keys(session).sort()).toEqual(['admin_token', 'provider_key', 'team_token', 'url']);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const link = /Connection link {2}(\S+)/.exec(printed())?.[1] ?? '';
    expect(parseConnectionLink(link)).toEqual({ url, token: session.team_token });
    const status = await fetch(`${url}/provider/status`, { headers: { apikey: session.provider_key } });
    expect(await status.json()).toMatchObject({ records: { company_clean: 600, company_base: 600 } });
    expect((await fetch(`${url}/`)).status).toBe(200);

    running.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(printed()).not.toMatch(/error/i);
    await expect(fetch(`${url}/health`)).rejects.toThrow();
  }, 120_000);
});
