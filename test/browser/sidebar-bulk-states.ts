// The states of bulk requests, of rows that arrive, of tables that refresh by themselves, and of alerts.
import type { Page } from 'playwright-core';
import { Refused } from './sidebar.ts';
import { progress } from './sidebar-answers.ts';
import { bulkList, bulkPlan, others, request, stoppedAutoRefresh } from './sidebar-bulk-answers.ts';
import { press, type State, unfold } from './sidebar-states.ts';

const requests = press(/^Orders/);
const scroll = (selector: string) => (page: Page) => page.locator(selector).last().scrollIntoViewIfNeeded();
const delivery = { tableId: 'bulk', title: 'Companies', rowsId: 'r1', kind: 'request' } as const;

async function search(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Search' }).click();
  await page.getByRole('textbox', { name: 'Industry', exact: true }).fill('software');
  await page.getByRole('tab', { name: 'Bulk' }).click();
}

/** One after the other where a person comes from one to the next. */
export const bulkStates: State[] = [
  {
    name: 'bulk-empty',
    tab: 'bulk',
    answers: {
      planBulk: () => ({
        ...bulkPlan,
        records: 1000,
        credits: 10_000,
        willOverwrite: {
          cells: 3,
          sample: [{ cell: 'Sheet1!B3', value: 'my note' }],
          question: 'Replace 3 cells that you typed?',
        },
      }),
    },
    see: 'No search yet',
    next: [
      { name: 'bulk-priced', act: search, see: /^1,000 records · up to 10,000 credits/ },
      {
        name: 'bulk-push',
        act: async (page) => {
          await page.getByLabel('Update the sheet while it is closed').click();
          await page.locator('#panel-bulk').getByText('Calculating the price …').waitFor();
          await page.getByText(/^1,000 records/).waitFor();
          await scroll('#panel-bulk .fold')(page);
        },
        see: 'Copy the address, then choose Share in Google Sheets.',
      },
      { name: 'bulk-confirm', act: press(/^Order \d/), see: 'Replace 3 cells that you typed?' },
      { name: 'bulk-running', act: press('Replace cells'), see: 'The provider is collecting the records.' },
      {
        name: 'bulk-stop',
        act: press(/^Stop waiting/),
        see: /still be charged up to 12,400 credits/,
      },
    ],
  },
  {
    name: 'bulk-column',
    tab: 'bulk',
    act: (page) => page.getByLabel('From IDs or links in a column').click(),
    see: /^120 records/,
  },
  {
    name: 'bulk-failed',
    tab: 'bulk',
    answers: {
      bulkRequests: () => ({ ...bulkList, requests: [...others, { ...request, state: 'reserved' }] }),
      deliveries: () => ({ deliveries: [delivery] }),
      writeDelivery: () =>
        new Refused('The sheet “Companies” is protected. Ask its owner to let you edit it.'),
      step: () => progress(238, 'done', { kind: 'bulk', total: 238 }),
    },
    act: requests,
    see: /^The provider delivers the order/,
    next: [
      {
        name: 'bulk-arrived',
        answers: { writeDelivery: () => progress(0, 'running', { kind: 'bulk' }) },
        act: press('Write rows'),
        see: '238 rows arrived in Companies.',
      },
    ],
  },
  {
    name: 'tables-schedule',
    tab: 'tables',
    answers: { setAutoRefresh: () => stoppedAutoRefresh },
    act: press('Schedule Companies: software'),
    see: '120 of 930 credits spent this month',
    next: [
      { name: 'tables-schedule-stopped', act: press('Save schedule'), see: 'The schedule has stopped.' },
    ],
  },
  {
    name: 'activity-alerts',
    tab: 'activity',
    act: async (page) => {
      await unfold('Add a webhook')(page);
      await page.getByRole('heading', { name: 'Alerts' }).evaluate((heading) => heading.scrollIntoView());
    },
    see: 'hooks.chat.example',
  },
];
