// Attacks on the headers that cached answers share: limits and credits of another token or team.
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import { buildCompanyResponse, createGateway } from '../../harness.ts';
import { createToken, getTokenId } from '../sheets/callers.ts';
import { newTeam } from '../sheets/fixtures.ts';

it('an answer from the cache has the limits and credits of its own token alone', async () => {
  const { request } = createGateway(buildCompanyResponse);
  const open = async (ratePerMinute: number, day: number | null) => {
    const team = newTeam();
    const apikey = await createToken(team, { ratePerMinute });
    const ledger = getLedger(env, team);
    await ledger.setToken(await getTokenId(team), { ratePerMinute });
    await ledger.setBudget({ caps: { day } });
    return async () => {
      const { headers } = await request('/cdapi/v2/company_clean/enrich?website=shared1.com', {
        headers: { apikey },
      });
      const names = ['x-ratelimit-limit-second', 'RateLimit-Policy', 'x-credits-remaining'];
      return [headers.get('x-cache'), ...names.map((name) => headers.get(name))];
    };
  };
  const [slow, quick] = [await open(60, 500), await open(600, 90)];
  await slow();
  await quick();
  const [first, second] = [await slow(), await quick()];
  expect(first).toEqual(['hit', '1', expect.stringContaining('q=60;'), expect.any(String)]);
  expect(second).toEqual(['hit', '10', expect.stringContaining('q=600;'), '90']);
  for (let repeat = 0; repeat < 3; repeat += 1)
    expect([await slow(), await quick()]).toEqual([first, second]);
});
