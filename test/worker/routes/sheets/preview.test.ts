// Previews: pages are cached, and bought again for a maximum age.
import { expect, it } from 'vitest';
import type { PreviewRequest, PreviewResponse } from '../../../../shared/api/search.ts';
import { createGateway } from '../../harness.ts';
import { clock } from '../../platform.ts';
import { callsWith, tokenOf } from './callers.ts';

const PAGE_CREDITS = 10;
const MINUTE_MS = 60_000;

const query = { family: 'company_base', filters: { name: 'acme' }, page: 1 } as const;

/** Creates a caller and a provider with snapshots, which records the requested pages. */
async function createCaller(team: string) {
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
  const preview = async (
    more: Partial<PreviewRequest> = {},
  ): Promise<[spent: number, snapshot: string | null]> => {
    const { credits, snapshot } = await ok<PreviewResponse>('POST', '/preview', { ...query, ...more });
    return [credits.spent, snapshot];
  };
  return { preview, pages, problem };
}

it('caches a page at any age, and buys it again for a lower maximum age', async () => {
  const { preview, pages } = await createCaller('previews');
  expect(await preview()).toEqual([PAGE_CREDITS, 'snapshot-1']);
  clock.now += 5 * MINUTE_MS;
  expect(await preview()).toEqual([0, 'snapshot-1']);
  expect(await preview({ max_age_s: 600 })).toEqual([0, 'snapshot-1']);
  expect(await preview({ max_age_s: 60 })).toEqual([PAGE_CREDITS, 'snapshot-2']);
  expect(await preview({ max_age_s: 60 })).toEqual([0, 'snapshot-2']);
  expect(await preview()).toEqual([0, 'snapshot-2']);
  expect(pages).toEqual(['1 of snapshot-1', '1 of snapshot-2']);
});

it('buys later pages of a newer ranking once', async () => {
  const { preview, pages } = await createCaller('previews-behind');
  await preview({ pages: 2 });
  clock.now += 5 * MINUTE_MS;
  const [spent, snapshot] = await preview({ max_age_s: 0 });
  expect(spent).toBe(PAGE_CREDITS);
  const behind = { page: 2, max_age_s: 60, ...(snapshot === null ? {} : { snapshot }) };
  expect(await preview(behind)).toEqual([PAGE_CREDITS, 'snapshot-2']);
  expect(await preview(behind)).toEqual([0, 'snapshot-2']);
  expect(pages).toEqual(['1 of snapshot-1', '2 of snapshot-1', '1 of snapshot-2', '2 of snapshot-2']);
});

it('spends at most max_credits; cached pages are free', async () => {
  const { preview, pages, problem } = await createCaller('previews-maximum');
  expect(await problem('POST', '/preview', { ...query, max_credits: 9 })).toMatchObject({
    status: 402,
    code: 'max_credits_reached',
  });
  expect(pages).toEqual([]);
  expect(await preview({ pages: 2, max_credits: 10 })).toEqual([PAGE_CREDITS, 'snapshot-1']);
  expect(await preview({ max_credits: 0 })).toEqual([0, 'snapshot-1']);
  expect(pages).toEqual(['1 of snapshot-1']);
});
