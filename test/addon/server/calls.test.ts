// Calls of the sidebar's page that are not what the script takes, or that end as nobody expected.
import { describe, expect, it } from 'vitest';
import { answer } from '../spreadsheet.ts';
import { searchOrder } from './orders.ts';
import { openSidebar } from './sidebar.ts';

describe('a call', () => {
  it.each([
    ['of no method', { method: 'nope', payload: {} }],
    ['of what every object has', { method: 'toString', payload: {} }],
    ['of nothing', null],
  ])('%s is refused in words', async (_, call) => {
    const bar = await openSidebar();
    expect(await bar.raw(JSON.stringify(call))).toMatchObject({ ok: false, code: 'bad_call' });
    expect(await bar.raw('{')).toMatchObject({ ok: false, code: 'bad_call' });
  });

  const { pages, ...unpaged } = searchOrder({ query: { text: 'acme' } });
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
  ])('of %s with %j names what is wrong, asks nobody and writes nothing', async (method, payload, part) => {
    const bar = await openSidebar();
    expect(await bar.raw(JSON.stringify({ method, payload }))).toEqual({
      ok: false,
      code: 'bad_call',
      message: `This sidebar is outdated: ${part} is not as expected. Close it and open it again.`,
    });
    expect([bar.calls(), bar.writes()]).toEqual([[], []]);
  });
});

it('what nobody expected is told in words, with its cause for who is asked for help', async () => {
  const bar = await openSidebar({ fetch: async () => answer(200, { columns: [], preview: [] }) });
  expect(await bar.ask('fields', { family: 'company_base' })).toMatchObject({
    ok: false,
    message: expect.stringMatching(
      /^Something went wrong in the add-on: “.+”\. Try again\. .+ your admin\.$/,
    ),
  });
});
