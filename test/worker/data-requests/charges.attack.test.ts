// Attacks on the charge of bulk orders: result files with more than was ordered.
import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import { expect, it } from 'vitest';
import { sumDisputedCredits } from '../../../worker/data-requests/repository.ts';
import { teams } from '../../../worker/db/schema.ts';
import { getLedger } from '../../../worker/gateway/ledger/ledger-object.ts';
import { ConsoleDeployment } from '../routes/console/browser.ts';
import { gzipLines, ServiceHarness } from './service-harness.ts';

const company = (id: number) => ({ id, name: `Company ${id}` });

async function createTeam(): Promise<string> {
  const id = crypto.randomUUID();
  await drizzle(env.DB).insert(teams).values({ id, name: 'Team', createdAt: 1 });
  await getLedger(env, id).setBudget({ caps: { day: 100 } });
  return id;
}

const listSpending = async (team: string) => {
  const { spent, reserved, disputed } = await getLedger(env, team).getBudget();
  return { spent: spent.day, reserved, disputed };
};

it.each([
  ['with 500 lines for 2 ordered records', Array.from({ length: 500 }, (_, at) => company(at + 1)), 20, 4980],
  ['that repeats one of 2 ordered records', [company(1), company(1), company(1)], 10, 20],
])('a result file %s: the rest is disputed', async (_, records, charged, disputed) => {
  const team = await createTeam();
  const harness = new ServiceHarness({ file: () => gzipLines(...records) });
  const { id } = await harness.orderByIds(['1', '2'], { team });
  await harness.runSteps(id);
  expect(await harness.getRow(id)).toMatchObject({ phase: 'ready', charged, disputed });
  expect(await listSpending(team)).toEqual({ spent: charged, reserved: 0, disputed });
});

it('the rest of such a file is resolved in the console: counted as spent, or dropped, once', async () => {
  const deployment = new ConsoleDeployment();
  const browser = await deployment.signIn();
  const before = await sumDisputedCredits(env.DB, Date.now());
  for (const [action, spent] of [
    ['accept', 40],
    ['reject', 20],
  ] as const) {
    const team = await createTeam();
    const harness = new ServiceHarness({ file: () => gzipLines(...[1, 2, 3, 4].map(company)) });
    const { id } = await harness.orderByIds(['1', '2'], { team });
    await harness.runSteps(id);
    expect(await sumDisputedCredits(env.DB, Date.now())).toBe(before + 20);
    const page = `/console/teams/${team}`;
    expect((await browser.open(page)).html).toContain(`${page}/disputed`);
    await browser.open(`${page}/disputed`);
    const resolve = () => browser.submit(`${page}/disputed/${action}`, { reference: id });
    expect((await resolve()).html).toContain('The disputed charge was resolved.');
    await browser.open(`${page}/disputed`);
    expect(browser.html).toContain('Nothing is disputed.');
    expect(await listSpending(team)).toEqual({ spent, reserved: 0, disputed: 0 });
    expect(await harness.getRow(id)).toMatchObject({ charged: spent, disputed: 0 });
    expect(await sumDisputedCredits(env.DB, Date.now())).toBe(before);
  }
});
