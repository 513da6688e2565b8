// The drop-in surface in front of an account without credits. contract.md, "Errors": "402 `Insufficient credits`"; "Credits": "search
// (ids), any family | 0". Issue: "One 402 blocks every team for three seconds, including free searches and calls that the balance
// still covers, with our words instead of the provider's `Insufficient credits`."
import { env, exports as worker } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addTeam } from '../../data-requests/bulk.ts';
import { control, put } from '../../sandbox/client.ts';

let other: string;
let questions = 0;

beforeAll(async () => {
  await control({ rate_per_s: 10_000 });
  await put(
    'company_clean',
    Array.from({ length: 200 }, (_, at) => ({ id: at + 1, name: `C${at}`, websites_main: `c${at}.example` })),
  );
  await put('job_base', [
    { id: 1, title: 'One' },
    { id: 2, title: 'Two' },
  ]);
  other = await addTeam('other', null);
});
beforeEach(() => control({ balance: 5 }));

function through(path: string, init: RequestInit = {}, apikey = env.TEAM_TOKEN): Promise<Response> {
  return worker.default.fetch(`http://127.0.0.1/cdapi/v2${path}`, { ...init, headers: { apikey } });
}

/** A company that nobody asked for before: 10 credits. */
const enrich = (token?: string): Promise<Response> =>
  through(`/company_clean/enrich?website=c${questions++}.example`, {}, token);

/** A search that nobody made before: free. */
function search(token?: string): Promise<Response> {
  const body = JSON.stringify({ query: { term: { id: questions++ } } });
  return through('/company_clean/search/es_dsl', { method: 'POST', body }, token);
}

async function expectUnpaid(answer: Response): Promise<void> {
  expect(answer.status).toBe(402);
  expect(await answer.json()).toEqual({ detail: 'Insufficient credits' });
  expect(answer.headers.get('x-credits-charged')).toBe('0');
}

describe('an account that can’t pay for a call', () => {
  it('refuses it in the provider’s words, and each such call after it', async () => {
    await expectUnpaid(await enrich());
    for (const answer of await Promise.all([enrich(), enrich(other), enrich()])) await expectUnpaid(answer);
  });

  it('answers 20 of 20 free searches of both teams, paid calls beside them', async () => {
    await expectUnpaid(await enrich());
    const paid = Array.from({ length: 20 }, (_, at) => enrich(at % 2 === 0 ? undefined : other));
    const free = Array.from({ length: 20 }, (_, at) => search(at % 2 === 0 ? undefined : other));
    expect((await Promise.all(free)).map(({ status }) => status)).toEqual(Array(20).fill(200));
    for (const answer of await Promise.all(paid)) await expectUnpaid(answer);
  });

  it('answers what its balance still covers', async () => {
    await expectUnpaid(await enrich());
    const job = await through('/job_base/collect/1');
    expect(job.status).toBe(200);
    expect(job.headers.get('x-credits-charged')).toBe('1');
    expect((await through('/job_base/collect/2', {}, other)).status).toBe(200);
  });

  it('answers the same call as soon as an answer says that credits were bought', async () => {
    const path = `/company_clean/enrich?website=c${questions++}.example`;
    await expectUnpaid(await through(path));
    await control({ balance: 1_000 });
    expect((await search()).status).toBe(200);
    // The gate hears of it a moment after the caller.
    await expect.poll(async () => (await through(path)).status).toBe(200);
  });
});
