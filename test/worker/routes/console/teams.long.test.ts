// Teams, tokens and people in the console: every form, its input errors, and the confirmations of destructive actions.
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import { type Browser, ConsoleDeployment } from './browser.ts';

const HOSTILE = `<script>alert("team")</script>`;

let deployment: ConsoleDeployment;
let browser: Browser;
/** Address of a new team's page. */
let team = '';

async function createTeam(name: string): Promise<string> {
  await browser.open('/console/new-team');
  const { path } = await browser.submit('/console/new-team', {
    name,
    day: '500',
    month: '',
    spending: 'on',
    same_name: 'on',
  });
  return path.replace(/\?.*/, '');
}

beforeEach(async () => {
  deployment = new ConsoleDeployment();
  browser = await deployment.signIn();
  team = await createTeam('Console team');
});

const getBudget = () => getLedger(env, team.split('/').at(-1) ?? '').getBudget();

describe('a team', () => {
  it('warns of a team with the same name, and is created after a confirmation, once', async () => {
    await browser.open('/console/new-team');
    const fields = { name: 'console TEAM', day: '500', month: '', spending: 'on' };
    const { html } = await browser.submit('/console/new-team', fields);
    expect(html).toContain('Another team has this name.');
    expect(html).toMatch(/name="name"[^>]* value="console TEAM"/);
    const form = browser.html;
    const { path } = await browser.submit('/console/new-team', { ...fields, same_name: 'on' });
    browser.html = form;
    expect((await browser.submit('/console/new-team', { ...fields, same_name: 'on' })).path).toBe(path);
  });

  it('shows the form again with what is wrong, and keeps what was typed', async () => {
    await browser.open(team);
    const { status, html } = await browser.submit(`${team}/budget`, { day: 'lots', month: '7' });
    expect(status).toBe(400);
    expect(html).toMatch(/role="alert"[\s\S]*day/);
    expect(html).toMatch(/name="day"[^>]* value="lots"/);
    expect(html).toMatch(/name="month"[^>]* value="7"/);
    expect(await getBudget()).toMatchObject({ caps: { day: 500, month: null }, spending: true });
  });

  it('gets a top-up once, however often the form is sent', async () => {
    await browser.open(team);
    const form = browser.html;
    for (let times = 0; times < 3; times += 1) {
      browser.html = form;
      await browser.submit(`${team}/top-up`, { credits: '250', note: HOSTILE });
    }
    expect(await getBudget()).toMatchObject({ topUp: 250 });
    expect(browser.html.match(/>250</g)?.length).toBeGreaterThan(0);
    expect(browser.html).not.toContain(HOSTILE);
  });

  it('is renamed, and another admin who has the old page open changes only the sent fields', async () => {
    const other = await deployment.signIn();
    await other.open(team);
    await browser.open(team);
    await browser.submit(`${team}/settings`, { name: 'Console renamed', confirm_above_credits: '' });
    await other.submit(`${team}/budget`, { day: '10', month: '', spending: 'on' });
    const { html } = await other.open(team);
    expect(html).toContain('<h1>Console renamed</h1>');
    expect(await getBudget()).toMatchObject({ caps: { day: 10 } });
  });
});

describe('a token', () => {
  const create = async (fields: Record<string, string | string[]> = {}) => {
    await browser.open(`${team}/new-token`);
    return browser.submit(`${team}/new-token`, {
      name: 'For Ada',
      day: '',
      month: '',
      expires: '',
      ...fields,
    });
  };

  it('is shown once, with its connection link and a QR code', async () => {
    const { html } = await create({
      day: '50',
      families: ['company_clean', 'job_base'],
      operations: 'search',
    });
    const [token = ''] = /cds_[0-9A-Za-z]{38}/.exec(html) ?? [];
    expect(html).toContain(`https://gateway.example/connect#${token}`);
    expect(html).toMatch(/<svg class="qr"[^>]*><path d="M\d+ \d+h1v1h-1z/);
    const { html: page } = await browser.open(team);
    expect(page).toContain('For Ada');
    expect(page).toContain('Companies, standard; Jobs, standard · Search');
    expect(page).not.toContain(token);
  });

  it.each([
    ['a day in the past', { expires: '2020-01-01' }, 'expires_at'],
    ['a day that does not exist', { expires: '2027-99-99' }, 'not a date'],
    ['an unknown scope', { operations: 'everything' }, 'operations'],
  ])('is not created with %s', async (_, fields, part) => {
    const { status, html } = await create(fields);
    expect(status).toBe(400);
    expect(html).toContain(part);
    expect((await browser.open(team)).html).toContain('No token exists yet.');
  });
});

it('a webhook secret is shown once', async () => {
  await browser.open(`${team}/webhook-secret`);
  const { html } = await browser.submit(`${team}/webhook-secret`);
  const [secret = ''] = /whsec_[\w+/=]+/.exec(html) ?? [];
  expect(secret.length).toBeGreaterThan(20);
  expect((await browser.open(`${team}/webhook-secret`)).html).not.toContain(secret);
});
