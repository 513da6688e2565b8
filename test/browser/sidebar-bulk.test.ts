// The sidebar's bulk requests: what they cost before they cost, and how they go on.
import { describe, expect, it } from 'vitest';
import type { BulkList } from '../../addon/server/api/index.ts';
import { eventually, Refused, type Sidebar } from './sidebar.ts';
import { NOW, status } from './sidebar-answers.ts';
import { ACCOUNT, bulkList, bulkPlan, ready, request } from './sidebar-bulk-answers.ts';
import { button, field, price, says, sidebars, tab } from './sidebar-desk.ts';

const open = sidebars();
const atBulk = { status: () => ({ ...status, tab: 'bulk' as const }) };
const only = (...requests: BulkList['requests']): BulkList => ({ ...bulkList, requests });

/** Fills in a search, and carries it to the bulk tab. */
async function searched(sidebar: Sidebar): Promise<void> {
  await tab(sidebar, 'Search').click();
  await sidebar.page.getByLabel('Find').selectOption('company_base');
  await field(sidebar, 'Industry').fill('software');
  await tab(sidebar, 'Bulk').click();
}

describe('an order', () => {
  it('takes the search of the Search tab, and says what it costs before it costs', async () => {
    const sidebar = await open(atBulk);
    await says(sidebar, 'No search yet');
    await searched(sidebar);
    await eventually(() => price(sidebar).textContent()).toMatch(/^1,000 records/);
    await field(sidebar, 'Maximum number of records').fill('10,000');
    await eventually(() => price(sidebar).textContent()).toBe(
      '1,240 records · up to 12,400 credits, charged on delivery',
    );
    expect(sidebar.sent('startBulk')).toEqual([]);
    await button(sidebar, 'Order 1,240 records · 12,400 credits').click();
    await says(sidebar, 'Order placed. Its rows appear by themselves when they are ready.');
    await says(sidebar, 'The provider is collecting the records.');
    expect(sidebar.sent('startBulk')).toEqual([
      {
        family: 'company_base',
        source: { by: 'search', query: { filters: { industry: 'software' } }, limit: 10_000 },
        approval: { credits: 12_400, digest: 'bulk' },
        columns: ['name', 'industry'],
        where: { kind: 'newSheet' },
        mode: 'replace',
        title: 'Companies: software',
        push: false,
      },
    ]);
  });

  // Issue: "Order only the keys that are not cached and fresh … and show both numbers before the click."
  it('says how many records are already bought and how many are new, and that those are free', async () => {
    let plan = { ...bulkPlan, cached: 240, credits: 10_000, approval: { credits: 10_000, digest: 'bulk' } };
    const sidebar = await open({ ...atBulk, planBulk: () => plan });
    await searched(sidebar);
    await eventually(() => price(sidebar).textContent()).toBe(
      '1,240 records · 240 already bought (free) · 1,000 new: up to 10,000 credits, charged on delivery',
    );
    expect(await button(sidebar, 'Order 1,240 records · 10,000 credits').isEnabled()).toBe(true);
    plan = { ...plan, cached: 1240, credits: 0, approval: { credits: 0, digest: 'bulk' } };
    await field(sidebar, 'Maximum number of records').fill('2,000');
    await eventually(() => price(sidebar).textContent()).toBe('1,240 records · all already bought (free)');
    await button(sidebar, 'Order 1,240 records · free').click();
    await eventually(() => sidebar.sent('startBulk').at(-1)).toMatchObject({ approval: { credits: 0 } });
  });

  // Issue: "The click carries the plan that was shown (keys and maximum price); if anything changed, ask again with the
  // new price."
  it('whose price changed meanwhile is not made: the new price is shown and asked for again', async () => {
    let credits = 10_000;
    const sidebar = await open({
      ...atBulk,
      planBulk: () => ({ ...bulkPlan, records: 1000, credits, approval: { credits, digest: 'bulk' } }),
      startBulk: ({ approval }) => {
        if (approval.credits === 11_000) return bulkList;
        credits = 11_000;
        return new Refused(
          'The price changed from 10,000 to 11,000 credits. Check the new price, then order again.',
        );
      },
    });
    await searched(sidebar);
    await button(sidebar, 'Order 1,000 records · 10,000 credits').click();
    await says(
      sidebar,
      'The price changed from 10,000 to 11,000 credits. Check the new price, then order again.',
    );
    await button(sidebar, 'Order 1,000 records · 11,000 credits').click();
    await says(sidebar, 'The provider is collecting the records.');
  });

  // Issue: "the button states the price ("Order 1,000 records · 10,000 credits"), an order above an admin-set limit asks
  // once more".
  it('above the limit that the admin set asks once more, and states number and price', async () => {
    const connection = status.connection && { ...status.connection, confirmAbove: 9_999 };
    const sidebar = await open({ status: () => ({ ...status, tab: 'bulk', connection }) });
    await searched(sidebar);
    const order = 'Order 1,000 records · 10,000 credits';
    await button(sidebar, order).click();
    await says(sidebar, 'This costs up to 10,000 credits. Continue?');
    expect(sidebar.sent('startBulk')).toEqual([]);
    await sidebar.page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    await button(sidebar, order).click();
    await sidebar.page.getByRole('alertdialog').getByRole('button', { name: order }).click();
    await says(sidebar, 'The provider is collecting the records.');
    expect(sidebar.sent('startBulk')).toHaveLength(1);
  });

  it('keeps a closed sheet filled where there is an account to share it with', async () => {
    const sidebar = await open(atBulk);
    await searched(sidebar);
    await sidebar.page.getByLabel('Update the sheet while it is closed').click();
    expect(await field(sidebar, 'Share the spreadsheet with this editor').inputValue()).toBe(ACCOUNT);
    await button(sidebar, 'Copy address').click();
    await says(sidebar, 'Address copied.');
    await button(sidebar, 'Order 1,000 records · 10,000 credits').click();
    await eventually(() => sidebar.sent('startBulk').at(-1)?.push).toBe(true);

    const without = await open({ ...atBulk, bulkRequests: () => ({ ...bulkList, pushAccount: null }) });
    await searched(without);
    await says(without, 'Maximum number of records');
    expect(await without.page.getByLabel('Update the sheet while it is closed').count()).toBe(0);
  });
});

describe('the list', () => {
  const showing = async (...[changed, options]: Parameters<typeof open>): Promise<Sidebar> => {
    const sidebar = await open({ ...atBulk, ...changed }, { now: NOW, ...options });
    await button(sidebar, /^Orders/).click();
    return sidebar;
  };
  const bulkEvents = ({ id }: { id: string }) => ({ url: `https://gateway.example/${id}` });
  const event = (name: string, data: unknown): string =>
    `event: ${name}\ndata: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

  it('says in words how each goes, what it cost, and why one failed', async () => {
    const sidebar = await showing();
    await says(sidebar, 'Companies, base · 4 minutes ago');
    await says(sidebar, '1,240 records · 12,400 credits reserved');
    await says(sidebar, '1 file · free to write until 22 Dec 2026');
    await says(sidebar, 'The provider could not make the files. Order it again; nothing was charged.');
    await says(sidebar, 'The provider delivers the order and charges what it delivers.');
  });

  it('follows a request live, and looks for its rows at once when it is ready', async () => {
    const done = { ...request, state: 'ready', rows: 1240, ended_at: '2026-11-22T11:59:30Z' };
    const sidebar = await showing(
      { bulkRequests: () => only(request), bulkEvents },
      { events: () => event('state', done) + event('close', 'ended'), stopped: true },
    );
    await says(sidebar, 'The rows appear in “Software” by themselves.');
    expect(sidebar.sent('bulkEvents')).toEqual([{ id: 'running' }]);
    await eventually(() => sidebar.sent('deliveries').length).toBe(2);
    // Its rows may be told a moment after it is ready.
    await eventually(async () => {
      await sidebar.page.clock.runFor(500);
      return sidebar.sent('deliveries').length;
    }).toBeGreaterThan(2);
  });

  it('cancels what was not sent, and says that its credits are back', async () => {
    const sidebar = await showing({
      bulkRequests: () => only({ ...request, state: 'reserved' }),
      stopBulk: () => ({
        message: 'Cancelled: 12,400 credits were given back.',
        list: only({ ...request, state: 'cancelled', watched: false, ended_at: '2026-11-22T12:00:00Z' }),
      }),
    });
    await button(sidebar, 'Cancel order: Companies: software').click();
    await says(sidebar, '12,400 credits were given back.');
    await says(sidebar, 'The gateway didn’t send the order and released its credits.');
  });

  it('stops watching only after it has said that it is charged all the same', async () => {
    const sidebar = await showing();
    await button(sidebar, 'Stop waiting (you’ll still be charged): Companies: software').click();
    await says(sidebar, /It was already sent, so you’ll still be charged up to 12,400 credits/);
    expect(sidebar.sent('stopBulk')).toEqual([]);
    await sidebar.page.getByRole('alertdialog').getByRole('button', { name: 'Stop waiting' }).click();
    await says(sidebar, 'It was sent before: the provider charges it all the same.');
    expect(sidebar.sent('stopBulk')).toEqual([{ id: 'running' }]);
  });

  it('says what became of one that was sent and that nobody watched, and writes its rows for free', async () => {
    const left = { ...ready, state: 'cancelled', watched: false, written: false } as const;
    const sidebar = await showing({ bulkRequests: () => only(left) });
    await says(sidebar, 'The provider delivered the order and charged it. You can write its rows for free.');
    await says(sidebar, '238 of 400 records · 2,380 credits');
    await button(sidebar, 'Write rows: Companies in Germany').click();
    await button(sidebar, 'Write rows for free').click();
    await says(sidebar, '100 of 100');
    expect(sidebar.sent('writeBulk')).toMatchObject([{ id: 'ready', where: { kind: 'newSheet' } }]);
  });
});
