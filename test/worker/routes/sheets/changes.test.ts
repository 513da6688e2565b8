// The change feed: chronological, limited to the team, with signed cursors.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { SheetsResponse } from '../../../../shared/api/sheets-endpoints.ts';
import { type Change, maxChanges } from '../../../../shared/api/tables.ts';
import { recordChange } from '../../../../worker/tables/changes.ts';
import { clock } from '../../platform.ts';
import { type ApiClient, createClient, createToken } from './callers.ts';
import { putTable } from './fixtures.ts';

const DAY_MS = 86_400_000;

let teams = 0;
const newTeam = (): string => `changers-${teams++}`;

/** Registers a table. @returns its id */
async function insertTable(team: string, family: 'company_clean' | 'job_base' = 'company_clean') {
  const source = { kind: 'search', query: { text: 'x' } } as const;
  return (await putTable(await createClient(team), { family, source })).id;
}

const recordRun = (teamId: string, subject: string, run: string, at = clock.now): Promise<void> =>
  recordChange(env, { teamId, kind: 'table', subject, run, hasRows: false }, at);

const listChanges = (client: ApiClient, since?: string): Promise<SheetsResponse<'listChanges'>> =>
  client.ok('GET', since === undefined ? '/changes' : `/changes?since=${since}`);

const getRuns = (changes: readonly Change[]): string[] =>
  changes.map((change) => (change.kind === 'table' ? change.run : change.id));

describe('the change feed', () => {
  it('lists changes in order, each once', async () => {
    const team = newTeam();
    const client = await createClient(team);
    const id = await insertTable(team);
    const first = await listChanges(client);
    expect(first).toEqual({ changes: [], cursor: expect.any(String), more: false });
    await recordRun(team, id, 'one', 1_800_000_000_000);
    await recordRun(team, id, 'two', 1_800_000_000_001);
    const second = await listChanges(client, first.cursor);
    expect(second.changes).toEqual([
      { kind: 'table', id, run: 'one', at: new Date(1_800_000_000_000).toISOString() },
      { kind: 'table', id, run: 'two', at: new Date(1_800_000_000_001).toISOString() },
    ]);
    expect(await listChanges(client)).toEqual(second);
    const third = await listChanges(client, second.cursor);
    expect(third).toEqual({ changes: [], cursor: second.cursor, more: false });
    await recordRun(team, id, 'two');
    await recordRun(team, id, 'three');
    expect(getRuns((await listChanges(client, third.cursor)).changes)).toEqual(['three']);
  });

  it('leaves out other teams, forbidden families and deleted tables', async () => {
    const [team, other] = [newTeam(), newTeam()];
    const all = await createClient(team);
    const jobs = await createClient(team, { families: ['job_base'] });
    const [companies, postings, gone] = [
      await insertTable(team),
      await insertTable(team, 'job_base'),
      await insertTable(team),
    ];
    await createToken(other);
    await recordRun(team, companies, 'companies');
    await recordRun(team, gone, 'gone');
    await recordRun(other, await insertTable(other), 'theirs');
    await recordRun(team, postings, 'postings');
    await env.DB.prepare('DELETE FROM tables WHERE id = ?').bind(gone).run();
    expect(getRuns((await listChanges(all)).changes)).toEqual(['companies', 'postings']);
    expect(getRuns((await listChanges(jobs)).changes)).toEqual(['postings']);
  });

  it('keeps the cursor before changes that a token may not see', async () => {
    const team = newTeam();
    const [all, searcher] = [await createClient(team), await createClient(team, { operations: ['search'] })];
    const id = await insertTable(team);
    const { cursor } = await listChanges(all);
    await recordRun(team, id, 'one');
    const hidden = await listChanges(searcher, cursor);
    expect(hidden).toEqual({ changes: [], cursor, more: false });
    expect(getRuns((await listChanges(all, hidden.cursor)).changes)).toEqual(['one']);
  });

  it('leaves out changes older than 30 days', async () => {
    const team = newTeam();
    const client = await createClient(team);
    const id = await insertTable(team);
    await recordRun(team, id, 'old', clock.now - 31 * DAY_MS);
    await recordRun(team, id, 'young', clock.now - 29 * DAY_MS);
    expect(getRuns((await listChanges(client)).changes)).toEqual(['young']);
  });

  it(`has pages of at most ${maxChanges} changes and leaves none out`, async () => {
    const team = newTeam();
    const client = await createClient(team, { families: ['job_base'] });
    const [mine, other] = [await insertTable(team, 'job_base'), await insertTable(team)];
    const insert = env.DB.prepare(
      `INSERT INTO changes (team_id, kind, subject, run, at) VALUES (?, 'table', ?, ?, ?)`,
    );
    const many = Array.from({ length: 2 * maxChanges + 50 }, (_, nth) =>
      insert.bind(team, nth % 5 === 0 ? other : mine, `run-${nth}`, clock.now),
    );
    await env.DB.batch(many);
    const runs: string[] = [];
    const sizes: number[] = [];
    let page = await listChanges(client);
    for (; ; page = await listChanges(client, page.cursor)) {
      runs.push(...getRuns(page.changes));
      sizes.push(page.changes.length);
      if (!page.more) break;
    }
    expect(runs).toEqual(many.flatMap((_, nth) => (nth % 5 === 0 ? [] : [`run-${nth}`])));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(maxChanges);
    expect(sizes).toHaveLength(3);
  });
});

describe('a cursor', () => {
  it('is rejected if it was not issued to the team', async () => {
    const [team, other] = [newTeam(), newTeam()];
    const [client, otherTeam] = [await createClient(team), await createClient(other)];
    await recordRun(team, await insertTable(team), 'one');
    const { cursor } = await listChanges(client);
    expect((await listChanges(client, cursor)).changes).toEqual([]);
    const [number, signature = ''] = cursor.split('-');
    const forged = ['', '1', `${number}-`, `0-${signature}`, `zzzzzz-${signature}`, `${cursor}0`];
    for (const wrong of [...forged, 'x'.repeat(101), cursor.toUpperCase(), '%00', "'--"]) {
      expect(await client.problem('GET', `/changes?since=${encodeURIComponent(wrong)}`)).toMatchObject({
        status: 422,
        code: 'invalid_request',
      });
    }
    expect(await otherTeam.problem('GET', `/changes?since=${cursor}`)).toMatchObject({
      code: 'invalid_request',
    });
  });
});
