// The previous release beside this one, as during a rollout: over the same database, KV, R2 and objects, whose code is that of
// the previous release, then the new one, and after a rollback the previous one again.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import {
  findReleasedVersion,
  hashMigrations,
  type KeptBuild,
  listKeptVersions,
  readBuild,
} from '../../worker/commands/release/builds.ts';
import { buildRelease } from '../../worker/commands/release/keep.ts';
import { ADMIN_TOKEN, Deployment, type Release } from './deployment.ts';
import { Provider } from './provider.ts';

const RELEASES: readonly Release[] = ['old', 'new'];
const CAP = 50;
/** Price of a company. */
const PRICE = 10;
const ORDERED = [900, 901, 902];

const issuedSchema = z.object({ id: z.string(), token: z.string() });
const budgetSchema = z.object({ reserved: z.int(), spent: z.object({ day: z.int() }) });
const orderSchema = z.object({ id: z.string(), state: z.string() });
const latencySchema = z.object({ total: z.object({ calls: z.int(), p50_ms: z.number().nullable() }) });
const rowsSchema = z.object({ rows: z.array(z.array(z.unknown())) });

let old: KeptBuild;
let folder: string;
let deployment: Deployment;
const provider = new Provider();

beforeAll(async () => {
  const released = await findReleasedVersion();
  const [newest] = await listKeptVersions();
  if (newest !== released)
    throw new Error(
      `test/upgrade/builds lacks the build of ${released}, the last release: check that version out, run npm run release:keep, and commit test/upgrade/builds/${released}.`,
    );
  old = await readBuild(released);
  folder = await mkdtemp(join(tmpdir(), 'cdapi-upgrade-'));
  deployment = new Deployment({ old, new: await buildRelease() }, folder, provider);
});
afterAll(async () => {
  await deployment?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

async function admin<T>(
  release: Release,
  schema: z.ZodType<T>,
  method: string,
  path: string,
  body?: unknown,
) {
  const answer = await deployment.call(release, ADMIN_TOKEN, method, `/admin/v1${path}`, body);
  expect([answer.status, answer.body]).toEqual([expect.toBeOneOf([200, 201, 204]), answer.body]);
  return schema.parse(answer.body);
}

/** Buys or reads a company. @returns its cache status, or its problem */
async function collect(release: Release, token: string, id: number): Promise<string | null> {
  const path = `/cdapi/v2/company_clean/collect/${id}`;
  const { cache, problem } = await deployment.call(release, token, 'GET', path);
  return problem ?? cache;
}

const countSold = (id: number): number => provider.sold.filter((key) => key === String(id)).length;

describe('a migration', () => {
  it('of the previous release is unchanged, and new ones follow it', async () => {
    const advice = `A released migration never changes: npm run db:generate adds another one. If ${old.version} is not released yet: npm run release:keep -- --force.`;
    expect((await hashMigrations()).slice(0, old.migrations.length), advice).toEqual(old.migrations);
  });
});

describe('two releases side by side', () => {
  let team: string;
  let token: string;
  let capped: string;
  let order: string;
  const revoked: string[] = [];
  let erased: number[] = [];

  const createTeam = async (release: Release, day: number | null) => {
    const created = await admin(release, z.object({ id: z.string() }), 'POST', '/teams', {
      name: 'Sales',
      budget: { day, month: null },
    });
    return created.id;
  };
  const createToken = (release: Release, id: string) =>
    admin(release, issuedSchema, 'POST', `/teams/${id}/tokens`, { name: 'Sheet' });
  const readSpent = async (release: Release, id: string) => {
    const { spent, reserved } = await admin(release, budgetSchema, 'GET', `/teams/${id}/budget`);
    return { spent: spent.day, reserved };
  };

  /** What must hold whoever runs the objects. @param first - id of a company that nobody has bought */
  async function checkBoth(first: number): Promise<void> {
    for (const [at, [buyer, reader]] of [['old', 'new'] as const, ['new', 'old'] as const].entries()) {
      expect(await collect(buyer, token, first + at)).toBe('miss');
      expect(await collect(reader, token, first + at)).toBe('hit');
    }
    const raced = first + 2;
    await Promise.all([...RELEASES, ...RELEASES].map((release) => collect(release, token, raced)));
    for (const id of [first, first + 1, raced]) expect(countSold(id)).toBe(1);
    for (const release of RELEASES) {
      for (const id of erased) expect(await collect(release, token, id)).toBe('erased');
      for (const ended of revoked) expect(await collect(release, ended, first)).toBe('unauthorised');
    }
  }

  /** Erases a company and revokes a token through one release; the other one has seen neither before. */
  async function revokeAndErase(release: Release, id: number): Promise<void> {
    const issued = await createToken(release, team);
    await admin(release, z.undefined(), 'DELETE', `/teams/${team}/tokens/${issued.id}`);
    revoked.push(issued.token);
    await collect(release, token, id);
    await admin(release, z.unknown(), 'DELETE', `/records/company_clean/${id}`);
    erased = [...erased, id];
  }

  it('starts with data of the previous release alone', async () => {
    await deployment.start('old');
    const earlier = new Set(old.migrations.map(({ name }) => name));
    await deployment.migrate([...earlier]);
    team = await createTeam('old', null);
    token = (await createToken('old', team)).token;
    capped = (await createToken('old', await createTeam('old', CAP))).token;
    expect(await collect('old', token, 1)).toBe('miss');
    // The migrations of a deployment come before its code.
    const names = (await hashMigrations()).map(({ name }) => name);
    await deployment.migrate(names.filter((name) => !earlier.has(name)));
    expect(await collect('old', token, 1)).toBe('hit');
    expect(await collect('new', token, 1)).toBe('hit');
  });

  it('buys once, within the budget, and refuses for both what one has ended: objects of the previous release', async () => {
    await checkBoth(10);
    await revokeAndErase('old', 20);
    await revokeAndErase('new', 21);
    provider.isBusy = true;
    const selection = { family: 'company_clean', kind: 'ids', keys: ORDERED.map(String) };
    const placed = await deployment.call('old', token, 'POST', '/sheets/v1/requests', selection);
    order = orderSchema.parse(placed.body).id;
    await expect.poll(() => [...provider.orders.values()]).toEqual([ORDERED]);
    await checkBoth(30);
  });

  it('continues with the objects of this release: an order of the previous one ends, and is paid once', async () => {
    const before = await readSpent('old', team);
    expect(before.reserved).toBe(ORDERED.length * PRICE);
    await deployment.start('new');
    expect(await readSpent('new', team)).toEqual(before);
    const callers = await Promise.all(
      RELEASES.map(async (release) => {
        const id = await createTeam(release, null);
        const { token: reader } = await createToken(release, id);
        for (const _ of [1, 2]) expect(await collect(release, reader, 1)).toBe('hit');
        return id;
      }),
    );
    provider.isBusy = false;
    await deployment.runCron('new', 'start');
    const read = () => deployment.call('new', token, 'GET', `/sheets/v1/requests/${order}`);
    await vi.waitFor(async () => expect(orderSchema.parse((await read()).body).state).toBe('ready'), {
      timeout: 50_000,
      interval: 100,
    });
    for (const release of RELEASES) {
      const path = `/sheets/v1/requests/${order}/rows?columns=id`;
      const { rows } = rowsSchema.parse((await deployment.call(release, token, 'GET', path)).body);
      expect(rows).toEqual(ORDERED.map((id) => [id]));
    }
    expect(provider.orders.size).toBe(1);
    await expect
      .poll(() => readSpent('old', team))
      .toEqual({ spent: before.spent + ORDERED.length * PRICE, reserved: 0 });
    await checkBoth(40);
    await revokeAndErase('new', 50);
    const readLatency = async (id: string) =>
      (await admin('new', latencySchema, 'GET', `/latency?team=${id}`)).total;
    for (const id of callers)
      await expect.poll(() => readLatency(id)).toEqual({ calls: 2, p50_ms: expect.any(Number) });
  });

  it('returns to the objects of the previous release, and no cap was ever exceeded', async () => {
    const [before, sold] = [await readSpent('new', team), provider.sold.length];
    // Bought with the objects of either release.
    const companies = [10, 11, 40, 41];
    const isCached = (names: readonly string[], id: number) => names.some((name) => name.endsWith(`:${id}`));
    await expect
      .poll(async () => {
        const names = await deployment.listCached();
        return companies.filter((id) => !isCached(names, id));
      })
      .toEqual([]);
    await deployment.deleteAnswers();
    await deployment.start('old');
    expect(await readSpent('new', team)).toEqual(before);
    for (const release of RELEASES)
      for (const id of companies) expect(await collect(release, token, id)).toBe('hit');
    expect(provider.sold).toHaveLength(sold);
    await checkBoth(60);
    const racing = Array.from({ length: 12 }, (_, at) => collect(RELEASES[at % 2] ?? 'old', capped, 70 + at));
    const bought = (await Promise.all(racing)).filter((outcome) => outcome === 'miss');
    expect(bought).toHaveLength(CAP / PRICE);
  });
});
