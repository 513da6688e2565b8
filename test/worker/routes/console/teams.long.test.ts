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
  it('is created with its budget, and its name is shown as text', async () => {
    const address = await createTeam(`Console ${HOSTILE}`);
    const { html } = await browser.open(address);
    expect(html).toContain('Console &lt;script&gt;');
    expect(html).not.toContain(HOSTILE);
    expect((await browser.open('/console/teams')).html).not.toContain(HOSTILE);
    expect(await getBudget()).toMatchObject({ caps: { day: 500, month: null }, spending: true });
  });

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

  it('gets another budget, with spending off', async () => {
    await browser.open(team);
    const { html } = await browser.submit(`${team}/budget`, { day: '1,200', month: '' });
    expect(html).toContain('The budget was saved.');
    expect(await getBudget()).toMatchObject({ caps: { day: 1200, month: null }, spending: false });
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

  it('is deleted after its effects are stated in numbers', async () => {
    await browser.open(`${team}/new-token`);
    await browser.submit(`${team}/new-token`, { name: 'Doomed', day: '', month: '', expires: '' });
    await browser.open(team);
    await browser.submit(`${team}/top-up`, { credits: '1240', note: '' });
    const { html } = await browser.open(`${team}/delete`);
    expect(html).toContain('Revoked at once: 1 token.');
    expect(html).toContain('Lost from top-ups: 1,240 credits.');
    expect((await browser.submit(`${team}/delete`)).html).toContain('The team was deleted.');
    expect((await browser.open(team)).status).toBe(404);
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

  it('is limited, and revoked after a confirmation', async () => {
    await create();
    const { html } = await browser.open(team);
    const [, address = ''] = /href="(\/console\/teams\/\w+\/tokens\/(?!new)[\w-]+)"/.exec(html) ?? [];
    await browser.open(address);
    const changed = await browser.submit(address, {
      name: 'For Bob',
      day: '5',
      month: '',
      rate_per_minute: '60',
    });
    expect(changed.html).toContain('The token was saved.');
    expect(changed.html).toContain('For Bob');
    await browser.open(`${address}/revoke`);
    expect((await browser.submit(`${address}/revoke`)).html).toContain('revoked');
    expect((await browser.open(`${team}/tokens`)).html).toContain('revoked');
  });
});

describe('a domain', () => {
  it('is assigned to a team with scopes and budgets, and removed after a confirmation', async () => {
    await browser.open('/console/people');
    const fields = {
      domain: 'Console.example',
      team: team.split('/').at(-1) ?? '',
      day: '20',
      month: '',
      token_days: '30',
    };
    const wrong = await browser.submit('/console/domains', { ...fields, audience: '' });
    expect([wrong.status, wrong.html.includes('audience')]).toEqual([400, true]);
    const audience = '123-abc.apps.googleusercontent.com';
    const { html } = await browser.submit('/console/domains', { ...fields, audience });
    expect(html).toMatch(/console\.example[\s\S]*20 credits a day/);
    const remove = '/console/domains/console.example/remove';
    expect((await browser.open(remove)).html).toContain('The tokens of 0 people stop at once');
    expect((await browser.submit(remove)).html).toContain('No domain is assigned');
  });
});

it('a webhook secret is shown once', async () => {
  await browser.open(`${team}/webhook-secret`);
  const { html } = await browser.submit(`${team}/webhook-secret`);
  const [secret = ''] = /whsec_[\w+/=]+/.exec(html) ?? [];
  expect(secret.length).toBeGreaterThan(20);
  expect((await browser.open(`${team}/webhook-secret`)).html).not.toContain(secret);
});
