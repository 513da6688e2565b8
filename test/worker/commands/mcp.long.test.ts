// /mcp of a started instance: the protocol's conformance suite, the Inspector, and a session that builds a list within 30 credits.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { root } from '../../../worker/commands/paths.ts';
import { listen } from '../../faults/listen.ts';
import { callTool } from '../../mcp-client.ts';

const session = inject('session');
const { team_token: token } = session;
const run = promisify(execFile);
const packages = join(root, 'node_modules/@modelcontextprotocol');

/** Scenarios that need a server made for the suite: with its own tools, resources and prompts, or with sessions. */
const fixtureScenarios = [
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-with-logging',
  'tools-call-error',
  'tools-call-with-progress',
  'tools-call-sampling',
  'tools-call-elicitation',
  'json-schema-2020-12',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'server-sse-multiple-streams',
  'logging-set-level',
  'completion-complete',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'resources-subscribe',
  'resources-unsubscribe',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
];

it('conforms to the protocol', async () => {
  // The suite can't send a token. Everything else passes unchanged, also a foreign Host.
  const proxy = await listen((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const forwarded = request(
      new URL(incoming.url ?? '/', session.url),
      { method: incoming.method, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  const folder = await mkdtemp(join(tmpdir(), 'cdapi-mcp-'));
  onTestFinished(async () => {
    await proxy.close();
    await rm(folder, { recursive: true, force: true });
  });
  const baseline = join(folder, 'baseline.yml');
  await writeFile(baseline, `server:\n${fixtureScenarios.map((name) => `  - ${name}\n`).join('')}`);
  // It fails for every other scenario, and for one of the list that passes.
  const { stdout } = await run(
    process.execPath,
    [
      join(packages, 'conformance/dist/index.js'),
      ...['server', '--url', `${proxy.origin}/mcp`],
      ...['--expected-failures', baseline, '--output-dir', folder],
    ],
    { cwd: folder },
  );
  expect(stdout).toContain('dns-rebinding-protection');
});

/** Runs the Inspector's command line. */
async function inspect(...args: string[]): Promise<unknown> {
  const { stdout } = await run(process.execPath, [
    join(packages, 'inspector/clients/launcher/build/index.js'),
    '--cli',
    ...['--transport', 'http', '--server-url', `${session.url}/mcp`],
    ...['--header', `Authorization: Bearer ${token}`],
    ...args,
  ]);
  return JSON.parse(stdout);
}

it('is understood by the Inspector', async () => {
  const list = z.object({ tools: z.array(z.object({ name: z.string() })) });
  // Strict: no schema that some clients can't read.
  const { tools } = list.parse(await inspect('--method', 'tools/list', '--strict'));
  expect(tools.map(({ name }) => name)).toContain('search_companies');
  const call = ['--method', 'tools/call', '--tool-name', 'search_companies'];
  expect(await inspect(...call, '--tool-arg', 'text=name:*')).toMatchObject({
    structuredContent: { spending: { price: 10, charged: 0 } },
  });
  const uri = 'cdapi://families/company_clean';
  expect(JSON.stringify(await inspect('--method', 'resources/read', '--uri', uri))).toContain('industry');
  const prompt = ['--method', 'prompts/get', '--prompt-name', 'build_prospect_list'];
  const values = ['target=bakeries', 'people=owners', 'max_credits=30'];
  expect(JSON.stringify(await inspect(...prompt, '--prompt-args', ...values))).toContain('30 credits');
});

const rowsSchema = z.object({
  spending: z.object({ charged: z.number() }),
  data: z.object({ columns: z.array(z.object({ name: z.string() })), rows: z.array(z.array(z.unknown())) }),
});
const peopleSchema = z.object({
  spending: z.object({ charged: z.number() }),
  data: z.object({ accounts: z.array(z.object({ company: z.string(), rows: z.array(z.unknown()) })) }),
});

it('builds a list of people at companies within 30 credits', async () => {
  const gateway = {
    request: (path: string, init?: RequestInit) => fetch(`${session.url}${path}`, init),
  };
  const search = { text: 'name:* AND NOT industry:unknown', fields: ['name', 'website_main'] };
  const priced = await callTool(gateway, token, 'search_companies', search);
  expect(priced).toMatchObject({ spending: { price: 10 } });
  const found = rowsSchema.parse(
    await callTool(gateway, token, 'search_companies', { ...search, max_credits: 10 }),
  );
  const companies = found.data.rows.flatMap(([, website]) => (typeof website === 'string' ? [website] : []));
  expect(companies.length).toBeGreaterThan(5);

  const people = { companies: companies.slice(0, 10), per_company: 3 };
  const estimate = await callTool(gateway, token, 'get_people_at_companies', people);
  const { spending } = z.object({ spending: z.object({ price: z.number().max(20) }) }).parse(estimate);
  const list = peopleSchema.parse(
    await callTool(gateway, token, 'get_people_at_companies', { ...people, max_credits: spending.price }),
  );
  expect(list.data.accounts.flatMap(({ rows }) => rows).length).toBeGreaterThan(5);
  expect(found.spending.charged + list.spending.charged).toBeLessThanOrEqual(30);
  // Once more is free.
  const again = await callTool(gateway, token, 'get_people_at_companies', { ...people, max_credits: 0 });
  expect(again).toMatchObject({ spending: { charged: 0, cached_share: 1 } });
});
