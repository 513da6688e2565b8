// Invalid calls of the sidebar's page, and unexpected errors.
import { describe, expect, it } from 'vitest';
import type { HostOptions } from '../../../addon/dev/host/types.ts';
import { createProblem } from '../../../shared/problems.ts';
import { sourceHeader } from '../../../shared/sources.ts';
import { createResponse, openSpreadsheet } from '../spreadsheet.ts';
import { createList, createSearchOrder, runEnrichment, runSearch } from './orders.ts';
import { gateway, openSidebar } from './sidebar.ts';

describe('a call', () => {
  it.each([
    ['of an unknown method', { method: 'nope', payload: {} }],
    ['of an inherited method', { method: 'toString', payload: {} }],
    ['without a method', null],
  ])('%s is refused with a message', async (_, call) => {
    const sidebar = await openSidebar();
    expect(await sidebar.callRaw(JSON.stringify(call))).toMatchObject({ ok: false, code: 'bad_call' });
    expect(await sidebar.callRaw('{')).toMatchObject({ ok: false, code: 'bad_call' });
  });

  const { pages, ...unpaged } = createSearchOrder({ query: { text: 'acme' } });
  it.each([
    ['count', null, 'count'],
    ['count', { family: 'company_base' }, 'count.query'],
    ['count', { family: 'toString', query: { text: '*' } }, 'count.family'],
    ['setTab', { tab: 'constructor' }, 'setTab.tab'],
    ['planSearch', unpaged, 'planSearch.pages'],
    ['planSearch', { ...unpaged, pages: 0 }, 'planSearch.pages'],
    ['planSearch', { ...unpaged, pages: 50.5 }, 'planSearch.pages'],
    ['planSearch', { ...unpaged, pages, columns: ['id', 7] }, 'planSearch.columns[1]'],
    ['planSearch', { ...unpaged, pages, where: { kind: 'table' } }, 'planSearch.where'],
    [
      'startSearch',
      { ...unpaged, pages, approval: { credits: -1, digest: '' } },
      'startSearch.approval.credits',
    ],
    ['addAlert', { url: 'https://hook.example', on: ['failure'], toString: 'all' }, 'addAlert.toString'],
  ])('of %s with %j names the invalid part and has no effect', async (method, payload, part) => {
    const sidebar = await openSidebar();
    expect(await sidebar.callRaw(JSON.stringify({ method, payload }))).toEqual({
      ok: false,
      code: 'bad_call',
      message: `This sidebar is outdated: ${part} is not as expected. Close it and open it again.`,
    });
    expect([sidebar.listCalls(), sidebar.takeWrites()]).toEqual([[], []]);
  });
});

it('an unexpected error is shown with its cause', async () => {
  const sidebar = await openSidebar({ fetch: async () => createResponse(200, { columns: [], preview: [] }) });
  expect(await sidebar.call('fields', { family: 'company_base' })).toMatchObject({
    ok: false,
    message: expect.stringMatching(
      /^Something went wrong in the add-on: “.+”\. Try again\. .+ your admin\.$/,
    ),
  });
});

it('a sentence becomes the form of the gateway, or its problem in words', async () => {
  const form = { family: 'company_base', conditions: [], left_out: [{ words: 'golf', reason: 'no field.' }] };
  const bodies: unknown[] = [];
  const problem = createProblem('assistant_unavailable');
  const sidebar = await openSidebar({
    fetch: async ({ url, body }) => {
      if (!url.endsWith('/sheets/v1/ask')) return createResponse(404, { code: 'unknown_address' });
      bodies.push(JSON.parse(new TextDecoder().decode(body ?? undefined)));
      return bodies.length === 1 ? createResponse(200, form) : createResponse(problem.status, problem);
    },
  });
  const payload = { sentence: 'golf', family: 'company_base' } as const;
  expect(await sidebar.call('ask', payload)).toEqual({ ok: true, value: form });
  expect(await sidebar.call('ask', payload)).toEqual({
    ok: false,
    code: 'assistant_unavailable',
    message: `${problem.detail} ${problem.fix}`,
  });
  expect(bodies).toEqual([payload, payload]);
});

it('each call of the sidebar says that it is for a table, and each of a formula that it is for a formula', async () => {
  const sent: [string, string | null][] = [];
  const fetch: HostOptions['fetch'] = (request) => {
    const path = request.url.replace(/^.*\/sheets\/v1\//, '');
    sent.push([path, new Headers(request.headers).get(sourceHeader)]);
    return gateway.fetch(request);
  };
  const sidebar = await openSidebar({ workbook: createList(['a.example', 'b.example']), fetch });
  await runEnrichment(sidebar);
  await runSearch(sidebar);
  expect(sent.map(([path]) => path)).toEqual(expect.arrayContaining(['lookup', 'preview']));
  expect(new Set(sent.map(([, source]) => source))).toEqual(new Set(['table']));

  sent.length = 0;
  const sheet = await openSpreadsheet({ fetch });
  await sheet.evaluate('CDAPI_ENRICH', 'a.example', 'name');
  await sheet.evaluate('CDAPI_PREVIEW', 'company_base', 'acme');
  expect(sent.map(([path]) => path)).toEqual(expect.arrayContaining(['lookup', 'preview']));
  expect(new Set(sent.map(([, source]) => source))).toEqual(new Set(['formula']));
});
