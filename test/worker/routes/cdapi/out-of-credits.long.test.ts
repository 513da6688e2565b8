// The drop-in API with a provider account out of credits (Provider API, "Errors"): only unaffordable calls fail, with the
// provider's words.
import { env, exports as worker } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addTeam } from '../../data-requests/bulk.ts';
import { control, put } from '../../sandbox/client.ts';

let other: string;
let counter = 0;

beforeAll(async () => {
  await control({ rate_per_s: 10_000 });
  await put(
    'company_clean',
    Array.from({ length: 40 }, (_, at) => ({ id: at + 1, name: `C${at}`, websites_main: `c${at}.example` })),
  );
  await put('job_base', [
    { id: 1, title: 'One' },
    { id: 2, title: 'Two' },
  ]);
  other = await addTeam('other', null);
});
beforeEach(() => control({ balance: 5 }));

function callGateway(path: string, init: RequestInit = {}, apikey = env.TEAM_TOKEN): Promise<Response> {
  return worker.default.fetch(`http://127.0.0.1/cdapi/v2${path}`, { ...init, headers: { apikey } });
}

/** Looks up a new company for 10 credits. */
const enrich = (token?: string): Promise<Response> =>
  callGateway(`/company_clean/enrich?website=c${counter++}.example`, {}, token);

/** Makes a new search, which is free. */
function search(token?: string): Promise<Response> {
  const body = JSON.stringify({ query: { term: { id: counter++ } } });
  return callGateway('/company_clean/search/es_dsl', { method: 'POST', body }, token);
}

async function expectUnpaid(answer: Response): Promise<void> {
  expect(answer.status).toBe(402);
  expect(await answer.json()).toEqual({ detail: 'Insufficient credits' });
  expect(answer.headers.get('x-credits-charged')).toBe('0');
}

describe('an account out of credits', () => {
  it('rejects unaffordable calls with the provider’s words', async () => {
    await expectUnpaid(await enrich());
    for (const answer of await Promise.all([enrich(), enrich(other), enrich()])) await expectUnpaid(answer);
  });

  it('answers free searches of all teams', async () => {
    await expectUnpaid(await enrich());
    const paid = Array.from({ length: 6 }, (_, at) => enrich(at % 2 === 0 ? undefined : other));
    const free = Array.from({ length: 6 }, (_, at) => search(at % 2 === 0 ? undefined : other));
    expect((await Promise.all(free)).map(({ status }) => status)).toEqual(Array(6).fill(200));
    for (const answer of await Promise.all(paid)) await expectUnpaid(answer);
  });

  it('answers calls that the balance covers', async () => {
    await expectUnpaid(await enrich());
    const job = await callGateway('/job_base/collect/1');
    expect(job.status).toBe(200);
    expect(job.headers.get('x-credits-charged')).toBe('1');
    expect((await callGateway('/job_base/collect/2', {}, other)).status).toBe(200);
  });

  it('answers again once a response shows that credits were bought', async () => {
    const path = `/company_clean/enrich?website=c${counter++}.example`;
    await expectUnpaid(await callGateway(path));
    await control({ balance: 1_000 });
    expect((await search()).status).toBe(200);
    // The throttle receives the report a moment later.
    await expect.poll(async () => (await callGateway(path)).status).toBe(200);
  });
});
