// The examples run against a gateway as their readers run them.
import { execFile, spawn, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { root } from '../../../worker/commands/paths.ts';
import { listen } from '../../faults/listen.ts';
import { readPlaygroundSession } from '../../playground-session.ts';

const session = inject('session');
const folder = join(root, 'examples');
const env = { ...process.env, GATEWAY: session.url, TEAM_TOKEN: session.team_token };
const run = promisify(execFile);
let websites: string[];

beforeAll(async () => {
  websites = (await readPlaygroundSession(session)).examples.slice(0, 2);
});

const isMissing = (program: string): boolean => spawnSync(program, ['--version']).status !== 0;

it('curl: looks up one company and several', async ({ skip }) => {
  skip(isMissing('curl'), 'curl is not installed');
  const { stdout } = await run('sh', [join(folder, 'lookup.sh'), ...websites], { env });
  expect(stdout).toMatch(/x-credits-charged: \d+/);
  const { rows }: { rows: unknown[] } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  expect(rows).toMatchObject(websites.map((key) => ({ key, record: { name: expect.any(String) } })));
});

it('Python: adds columns to a CSV file, and says why a call is refused', async ({ skip }) => {
  skip(isMissing('python3'), 'python3 is not installed');
  const enrich = (token: string) =>
    spawnSync('python3', [join(folder, 'enrich.py')], {
      input: ['website', ...websites, 'no-such-company.example'].join('\n'),
      env: { ...env, TEAM_TOKEN: token },
      encoding: 'utf8',
    });
  const { stdout, stderr } = enrich(session.team_token);
  const [headings, first, , last] = stdout.split(/\r?\n/);
  expect(headings).toBe('website,name,industry,size_range,status');
  expect(first?.split(',')[0]).toBe(websites[0]);
  expect(last).toBe('no-such-company.example,,,,not_found');
  expect(stderr).toMatch(/^3 rows, \d+ credits\n$/);
  expect(enrich('cds_wrong').stderr).toContain('Ask your admin for a new connection link');
});

it('TypeScript: shows records and prices, and names problems', async () => {
  const { stdout } = await run(
    process.execPath,
    [join(folder, 'enrich.ts'), ...websites.slice(0, 1), 'no-such-company.example'],
    { env },
  );
  const [found, missing] = stdout.split('\n');
  expect(found).toMatch(/^\S+\.example: .+, .+ \((?:miss|hit), \d+ credits\)$/);
  expect(missing).toBe('no-such-company.example: status 404');
});

it('TypeScript: tries a lost connection again', async () => {
  let calls = 0;
  const { origin, close } = await listen((request, response) => {
    calls += 1;
    if (calls === 1) request.socket.destroy();
    else response.setHeader('x-cache', 'hit').end('{"name": "Acme", "industry": "Software"}');
  });
  onTestFinished(close);
  const { stdout } = await run(process.execPath, [join(folder, 'enrich.ts'), 'acme.example'], {
    env: { ...env, GATEWAY: origin },
  });
  expect(stdout).toBe('acme.example: Acme, Software (hit, 0 credits)\n');
  expect(calls).toBe(2);
});

it('n8n: its request is answered', async () => {
  const workflow = JSON.parse(await readFile(join(folder, 'workflow.n8n.json'), 'utf8'));
  const { url, jsonBody, headerParameters } = workflow.nodes[1].parameters;
  const values: Readonly<Record<string, string | undefined>> = {
    '$env.GATEWAY': session.url,
    '$env.TEAM_TOKEN': session.team_token,
    '$json.body.website': websites[0],
  };
  const fill = (text: string): string =>
    text.replace(/^=/, '').replace(/\{\{ (\S+) \}\}/g, (_, name: string) => values[name] ?? name);
  const [{ name, value }] = headerParameters.parameters;
  const response = await fetch(fill(url), {
    method: 'POST',
    headers: { [name]: fill(value), 'content-type': 'application/json' },
    body: fill(jsonBody),
  });
  expect(await response.json()).toMatchObject({ rows: [{ key: websites[0], record: {} }] });
});

it('the receiver accepts signed webhooks once, and refuses others', async () => {
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const receiver = spawn(process.execPath, [join(folder, 'receive-webhook.ts')], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: '0' },
  });
  onTestFinished(() => void receiver.kill());
  let output = '';
  receiver.stdout.on('data', (text: Buffer) => {
    output += text.toString();
  });
  await expect.poll(() => output).toMatch(/port \d+\n/);
  const [, port] = /port (\d+)/.exec(output) ?? [];
  const body = JSON.stringify({ data_request_id: 'r1', status: 'ready' });
  const sentAt = new Date();
  const send = async (signature: string): Promise<number> => {
    const headers = {
      'webhook-id': 'm1',
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
      'webhook-signature': signature,
    };
    return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
  };
  expect(await send('v1,forged')).toBe(401);
  const signature = new Webhook(secret).sign('m1', sentAt, body);
  expect([await send(signature), await send(signature)]).toEqual([204, 204]);
  await expect.poll(() => output).toMatch(/Bulk order r1 is ready\.\n$/);
  expect(output.match(/Bulk order/g)).toHaveLength(1);
});
