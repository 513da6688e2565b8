// Previews for the add-on: a page is bought once, and again only for who wants a younger one.
import { expect, it } from 'vitest';
import type { PreviewRequest, PreviewResponse } from '../../../../shared/api/search.ts';
import { createGateway } from '../../harness.ts';
import { clock } from '../../platform.ts';
import { callsWith, tokenOf } from './callers.ts';

const PAGE_CREDITS = 10;
const MINUTE_MS = 60_000;

const query = { family: 'company_base', filters: { name: 'acme' }, page: 1 } as const;

/** A caller of a provider with pages that name a snapshot, and the pages that it was asked for. */
async function caller(team: string) {
  let snapshots = 0;
  const pages: string[] = [];
  const at = createGateway((_, { url }) => {
    const { pathname, searchParams } = new URL(url);
    const headers = { 'x-total-results': '40', 'x-total-pages': '2' };
    if (!pathname.includes('preview')) return Response.json([1], { headers });
    const page = searchParams.get('page') ?? '1';
    const snapshot = searchParams.get('snapshot_token') ?? `snapshot-${++snapshots}`;
    pages.push(`${page} of ${snapshot}`);
    return Response.json([{ id: 1, name: 'Acme' }], {
      headers: { ...headers, 'x-snapshot-token': snapshot },
    });
  }, team);
  const { ok, problem } = callsWith(await tokenOf(team), at);
  const ask = async (
    more: Partial<PreviewRequest> = {},
  ): Promise<[spent: number, snapshot: string | null]> => {
    const { credits, snapshot } = await ok<PreviewResponse>('POST', '/preview', { ...query, ...more });
    return [credits.spent, snapshot];
  };
  return { ask, pages, problem };
}

it('a page is remembered whatever its age, and bought again for who wants a younger one; then that counts for all', async () => {
  const { ask, pages } = await caller('previews');
  expect(await ask()).toEqual([PAGE_CREDITS, 'snapshot-1']);
  clock.now += 5 * MINUTE_MS;
  expect(await ask()).toEqual([0, 'snapshot-1']);
  expect(await ask({ max_age_s: 600 })).toEqual([0, 'snapshot-1']);
  expect(await ask({ max_age_s: 60 })).toEqual([PAGE_CREDITS, 'snapshot-2']);
  expect(await ask({ max_age_s: 60 })).toEqual([0, 'snapshot-2']);
  expect(await ask()).toEqual([0, 'snapshot-2']);
  expect(pages).toEqual(['1 of snapshot-1', '1 of snapshot-2']);
});

it('the pages behind are those of the younger ranking, each bought once', async () => {
  const { ask, pages } = await caller('previews-behind');
  await ask({ pages: 2 });
  clock.now += 5 * MINUTE_MS;
  const [spent, snapshot] = await ask({ max_age_s: 0 });
  expect(spent).toBe(PAGE_CREDITS);
  const behind = { page: 2, max_age_s: 60, ...(snapshot === null ? {} : { snapshot }) };
  expect(await ask(behind)).toEqual([PAGE_CREDITS, 'snapshot-2']);
  expect(await ask(behind)).toEqual([0, 'snapshot-2']);
  expect(pages).toEqual(['1 of snapshot-1', '2 of snapshot-1', '1 of snapshot-2', '2 of snapshot-2']);
});

it('a preview spends at most max_credits: pages in the cache are free, a page beyond the maximum is not bought', async () => {
  const { ask, pages, problem } = await caller('previews-maximum');
  expect(await problem('POST', '/preview', { ...query, max_credits: 9 })).toMatchObject({
    status: 402,
    code: 'max_credits_reached',
  });
  expect(pages).toEqual([]);
  expect(await ask({ pages: 2, max_credits: 10 })).toEqual([PAGE_CREDITS, 'snapshot-1']);
  expect(await ask({ max_credits: 0 })).toEqual([0, 'snapshot-1']);
  expect(pages).toEqual(['1 of snapshot-1']);
});
