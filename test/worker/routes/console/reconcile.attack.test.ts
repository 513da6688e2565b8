// Attacks on the reconciliation of several unclear calls: forms that are sent twice, or that say nothing about the charge.
import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import { expect, it } from 'vitest';
import { teams } from '../../../../worker/db/schema.ts';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import { call } from '../../gateway/ledger/ledger-harness.ts';
import { ConsoleDeployment } from './browser.ts';

it('reconciles nothing without a choice, and nothing twice', async () => {
  const browser = await new ConsoleDeployment().signIn();
  const team = crypto.randomUUID().slice(0, 8);
  await drizzle(env.DB).insert(teams).values({ id: team, name: 'Lost answers', createdAt: 0 });
  const ledger = getLedger(env, team);
  await ledger.setBudget({ caps: { day: 100 } });
  const names = ['one', 'two'];
  await ledger.reserveMany(
    names.map((name) => call(10, 'token', name)),
    0,
  );
  await ledger.settleMany(names.map((id) => ({ id, charged: 'unclear' })));
  const page = `/console/teams/${team}/unclear/all`;
  const { html } = await browser.open(page);
  const forms = html.split('<form').slice(-2);
  const send = async (form = '', change = (text: string) => text) => {
    browser.html = change(`<form${form}`);
    const visit = await browser.submit(page);
    const { unclear, spent } = await ledger.getBudget();
    return [visit.status, visit.html.includes('were reconciled'), unclear, spent.day];
  };
  const [charged, free] = forms;
  expect(await send(free, (text) => text.replace('value="free"', 'value="maybe"'))).toEqual([
    404,
    false,
    20,
    20,
  ]);
  // One of them is reconciled meanwhile.
  await ledger.settleMany([{ id: 'one', charged: 10 }]);
  expect(await send(free)).toEqual([200, true, 0, 10]);
  for (const form of [free, charged]) expect(await send(form)).toEqual([400, false, 0, 10]);
});
