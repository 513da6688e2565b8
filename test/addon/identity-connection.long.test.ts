// Releases that connect people through their Google accounts: the sidebar connects automatically, formulas do not.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { HostOptions } from '../../addon/dev/host/types.ts';
import type { Status } from '../../addon/server/api/index.ts';
import { companyProperty, connectionProperty } from '../../shared/connection.ts';
import { createProblem, type ProblemCode } from '../../shared/problems.ts';
import { generateToken } from '../../shared/tokens.ts';
import { buildAddon } from '../../worker/commands/build/addon.ts';
import { AUDIENCE, GoogleIdentity } from '../google-identity.ts';
import {
  callSidebar,
  callSidebarOk,
  createResponse,
  openSpreadsheet,
  readBuiltAddon,
  type Spreadsheet,
} from './spreadsheet.ts';

const GATEWAY = 'https://data.acme.example';
const VIEWER = 'ada@acme.example';
const DAY_MS = 86_400_000;
const EMAIL = 'https://www.googleapis.com/auth/userinfo.email';
const SCOPES = ['openid', EMAIL];

let folder = '';
let release: Awaited<ReturnType<typeof readBuiltAddon>>;
let google: GoogleIdentity;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cdapi-identity-'));
  await buildAddon({ outDir: folder, gateway: GATEWAY, identity: true });
  release = await readBuiltAddon(folder);
  google = await GoogleIdentity.create(() => now);
});
afterAll(() => rm(folder, { recursive: true }));

let now = Date.now();
/** Signs people in: the latest token of a person is valid. */
let gateway: TestGateway;
beforeEach(() => {
  now = Date.now();
  gateway = new TestGateway();
});

class TestGateway {
  signIns = 0;
  refused = 0;
  team = 'Sales';
  refusal: ProblemCode | undefined;
  lifetimeMs = 30 * DAY_MS;
  token = '';

  #signIn(identityToken: string) {
    const { email, hd, aud, exp = 0 } = decodeJwt(identityToken);
    if (this.refusal !== undefined) return createResponse(403, createProblem(this.refusal));
    if (email === undefined) return createResponse(401, createProblem('sign_in_refused'));
    expect([email, hd, aud]).toEqual([VIEWER, 'acme.example', AUDIENCE]);
    expect(exp * 1000).toBeGreaterThan(now);
    this.signIns += 1;
    this.token = generateToken((length) => new Uint8Array(length).fill(this.signIns));
    const expires_at = new Date(now + this.lifetimeMs).toISOString();
    return createResponse(200, { token: this.token, team: this.team, expires_at });
  }

  readonly fetch: HostOptions['fetch'] = async ({ url, headers, body, method }) => {
    expect(url.startsWith(`${GATEWAY}/sheets/v1/`)).toBe(true);
    if (url.endsWith('/sign-in')) {
      expect([method, headers.Authorization]).toEqual(['POST', undefined]);
      return this.#signIn(JSON.parse(new TextDecoder().decode(body ?? undefined)).identity_token);
    }
    const token = String(headers.Authorization).replace('Bearer ', '');
    if (token !== this.token && !token.startsWith('cds_shared')) {
      this.refused += 1;
      return createResponse(401, createProblem('unauthorised'));
    }
    if (url.endsWith('/searches')) return createResponse(200, { searches: [] });
    if (url.endsWith('/runs')) return createResponse(200, { runs: [] });
    return createResponse(200, {
      ...{ team: token === this.token ? this.team : 'Shared', budget: { day: 5, month: null } },
      ...{ spent: { day: 0, month: 0 }, saved: { day: 0, month: 0 }, remaining: 5, spending: true },
      ...{ mode: 'live', stamp: '1', scopes: { families: null, operations: null } },
    });
  };
}

const toStored = (token: string): string => JSON.stringify({ url: GATEWAY, token });

const open = (options: Partial<HostOptions> = {}, button: 'OK' | 'YES' = 'YES'): Promise<Spreadsheet> =>
  openSpreadsheet(
    {
      ...release,
      fetch: gateway.fetch,
      now: () => now,
      identityToken: (user, withEmail) =>
        google.sign({
          hd: user.split('@')[1],
          ...(withEmail ? { email: user } : { email: undefined, email_verified: undefined }),
        }),
      people: { owner: 'owner@acme.example', viewer: VIEWER },
      properties: { document: {} },
      ...options,
    },
    button,
  );

const readStatus = (
  sheet: Spreadsheet,
  method: 'status' | 'confirmAccount' | 'connectAccount' = 'status',
): Promise<Status> => callSidebarOk(sheet, method);

describe('the sidebar', () => {
  it('connects by itself at the first opening, and shows once who pays', async () => {
    const sheet = await open();
    expect(await readStatus(sheet)).toMatchObject({
      connection: { for: 'identity', team: 'Sales', isNew: true },
    });
    const confirmed = await readStatus(sheet, 'confirmAccount');
    expect(confirmed.connection).not.toHaveProperty('isNew');
    expect((await readStatus(sheet)).connection).not.toHaveProperty('isNew');
    expect(gateway.signIns).toBe(1);
  });

  it('shows it once for all spreadsheets, also after the token was renewed', async () => {
    const sheet = await open();
    await readStatus(sheet);
    await readStatus(sheet, 'confirmAccount');
    now += 31 * DAY_MS;
    const other = await open({ properties: { ...sheet.host.properties, document: {} } });
    expect((await readStatus(other)).connection).toMatchObject({ team: 'Sales' });
    expect((await readStatus(other)).connection).not.toHaveProperty('isNew');
    expect(gateway.signIns).toBe(2);
  });

  it('shows who pays again when the admin has assigned the domain to another team', async () => {
    const sheet = await open();
    await readStatus(sheet);
    await readStatus(sheet, 'confirmAccount');
    gateway.team = 'Marketing';
    gateway.token = 'revoked';
    expect((await readStatus(sheet)).connection).toMatchObject({ team: 'Marketing', isNew: true });
    expect((await readStatus(sheet, 'confirmAccount')).connection).not.toHaveProperty('isNew');
  });

  it('renews a token shortly before it expires', async () => {
    const sheet = await open();
    await readStatus(sheet);
    // Services take some time on the script's clock.
    now += gateway.lifetimeMs - 11 * 60_000;
    await readStatus(sheet);
    expect(gateway.signIns).toBe(1);
    now += 60_000;
    await readStatus(sheet);
    expect(gateway.signIns).toBe(2);
  });

  it('renews a token that the gateway refuses, and repeats the call', async () => {
    const sheet = await open();
    await readStatus(sheet);
    gateway.token = 'another one';
    expect(await callSidebar(sheet, 'savedSearches')).toMatchObject({ ok: true });
    expect(gateway.signIns).toBe(2);
  });

  it('uses the renewed token for the later calls of the same execution', async () => {
    const sheet = await open();
    await readStatus(sheet);
    gateway.token = 'another one';
    expect(await callSidebar(sheet, 'activity')).toMatchObject({ ok: true });
    expect(gateway.signIns).toBe(2);
    expect(gateway.refused).toBe(1);
  });

  it('signs in once when several calls are refused at the same time', async () => {
    const sheet = await open();
    await readStatus(sheet);
    gateway.token = 'another one';
    const replies = await Promise.all([1, 2, 3].map(() => callSidebar(sheet, 'savedSearches')));
    expect(replies.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(gateway.signIns).toBe(2);
  });

  it.each<ProblemCode>(['domain_not_assigned', 'person_revoked', 'sign_in_refused', 'google_unavailable'])(
    'says why it can’t connect: %s',
    async (code) => {
      gateway.refusal = code;
      const status = await readStatus(await open());
      const { detail, fix } = createProblem(code);
      const failure = { code, message: `${detail} ${fix}` };
      expect(status).toMatchObject({ connection: null, failure, helpUrl: `${GATEWAY}/help` });
    },
  );

  it('stops when the admin revokes the person in the middle of the work', async () => {
    const sheet = await open();
    await readStatus(sheet);
    gateway.token = '';
    gateway.refusal = 'person_revoked';
    expect(await callSidebar(sheet, 'savedSearches')).toMatchObject({ ok: false, code: 'person_revoked' });
    expect(await readStatus(sheet)).toMatchObject({
      connection: null,
      failure: { code: 'person_revoked' },
    });
  });

  it('does not fall back to the company’s connection when the person was revoked', async () => {
    gateway.refusal = 'person_revoked';
    const script = {
      [companyProperty]: `${GATEWAY}/connect#${generateToken((n) => new Uint8Array(n).fill(9))}`,
    };
    const status = await readStatus(await open({ properties: { document: {}, script } }));
    expect(status).toMatchObject({ connection: null, hasCompanyConnection: false });
    expect(status.failure?.code).toBe('person_revoked');
  });

  it.each([
    ['openid', 'Associate you with your personal info on Google'],
    [EMAIL, 'confirmation of your account'],
  ])('says what to do without the permission %s', async (scope, words) => {
    const status = await readStatus(await open({ deniedScopes: [scope] }));
    expect(status.connection).toBeNull();
    expect(status.failure?.message).toContain(words);
    expect(gateway.signIns).toBe(0);
  });

  it('gives way to the spreadsheet’s connection and to a pasted link', async () => {
    const stored = { [connectionProperty]: toStored('cds_shared') };
    const shared = await open({ properties: { document: stored } });
    expect(await readStatus(shared)).toMatchObject({ connection: { for: 'sheet', team: 'Shared' } });
    const personal = await open({ properties: { document: {}, user: { [VIEWER]: stored } } });
    expect(await readStatus(personal)).toMatchObject({ connection: { for: 'me', team: 'Shared' } });
    expect(gateway.signIns).toBe(0);
  });

  it('stays disconnected until the person connects again', async () => {
    const sheet = await open();
    await readStatus(sheet);
    const disconnected = await callSidebarOk(sheet, 'disconnect', { for: 'identity' });
    expect(disconnected).toMatchObject({ connection: null, canConnectAccount: true });
    expect(await readStatus(sheet)).toMatchObject({ connection: null });
    expect(await callSidebar(sheet, 'savedSearches')).toMatchObject({ ok: false, code: 'not_connected' });
    expect(gateway.signIns).toBe(1);
    expect(await readStatus(sheet, 'connectAccount')).toMatchObject({ connection: { team: 'Sales' } });
  });

  it('can be disconnected and connected again by the menu', async () => {
    const sheet = await open();
    await readStatus(sheet);
    await sheet.host.run('disconnect');
    expect(await readStatus(sheet)).toMatchObject({ connection: null, canConnectAccount: true });
    await sheet.host.run('connect');
    expect(sheet.listMessages().at(-1)).toContain('connects through your Google account again');
    expect(await readStatus(sheet)).toMatchObject({ connection: { for: 'identity' } });
  });

  it('stores the token for the person only, and the identity token nowhere', async () => {
    const sheet = await open();
    await readStatus(sheet);
    const { user = {}, document, script } = sheet.host.properties;
    expect(JSON.stringify([document, script])).not.toContain('cds_');
    expect(Object.keys(user)).toEqual([VIEWER]);
    expect(JSON.stringify(sheet.host.properties)).not.toContain('eyJ');
    for (const { url, headers } of sheet.requests)
      expect(JSON.stringify([url, headers])).not.toContain('eyJ');
  });
});

describe('a formula', () => {
  it('does not use a person’s connection, not even its owner’s', async () => {
    const sheet = await open({ people: { owner: VIEWER, viewer: VIEWER } });
    await readStatus(sheet);
    expect(await sheet.evaluate('CDAPI_CREDITS')).toMatchObject({
      error: expect.stringContaining('Connected for the sidebar only'),
    });
    expect(gateway.signIns).toBe(1);
  });
});

describe('a release without identity connection', () => {
  it('has neither the scopes nor the calls', async () => {
    const outDir = join(folder, 'plain');
    await buildAddon({ outDir, gateway: GATEWAY });
    const plain = await readBuiltAddon(outDir);
    for (const scope of SCOPES) {
      expect(release.manifest.oauthScopes).toContain(scope);
      expect(plain.manifest.oauthScopes).not.toContain(scope);
    }
    const sheet = await open(plain);
    expect(await readStatus(sheet)).toMatchObject({ connection: null });
    expect(gateway.signIns).toBe(0);
  });
});
