// The events of a data request, from its order to the deletion of its rows.
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type {
  DeadLetterKind,
  Timeline,
  TimelineEvent,
} from '../../../../../shared/api/admin-data-requests.ts';
import { handleWebhook } from '../../../../../worker/data-requests/provider-webhooks.ts';
import { retryDelaysMs } from '../../../../../worker/http/send-webhook.ts';
import { DeadLetterRepository } from '../../../../../worker/queue/dead-letters.ts';
import { ServiceHarness } from '../../../data-requests/service-harness.ts';
import { clock } from '../../../platform.ts';
import { insertDataRequest, insertRun } from '../../sheets/fixtures.ts';
import { admin } from '../harness.ts';

const SECRET = `secret-${crypto.randomUUID()}`;
const WEBHOOK_URL = `https://caller.example/${SECRET}`;
const MINUTE = 60_000;
const { ok, problem } = admin();

/** Status of the caller's webhook. */
let status = 200;

beforeEach(() => {
  status = 200;
  const original = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) =>
    input === WEBHOOK_URL ? new Response(SECRET, { status }) : original(input, init),
  );
  // Otherwise a webhook would start a job that races with the test.
  vi.spyOn(env.JOBS, 'sendBatch').mockRejectedValue(new Error('the test runs the steps'));
  return () => vi.restoreAllMocks();
});

async function getEvents(id: string): Promise<TimelineEvent[]> {
  const { events } = await ok<Timeline>('GET', `/requests/${id}/timeline`);
  expect(JSON.stringify(events)).not.toContain(SECRET);
  for (const { text } of events) expect(text).toMatch(/\.$/);
  return events;
}

const listCodes = async (id: string): Promise<string[]> => (await getEvents(id)).map(({ code }) => code);

const findText = async (id: string, code: string): Promise<string | undefined> =>
  (await getEvents(id)).find((event) => event.code === code)?.text;

/** Inserts a table with a push. @returns the id of the push */
async function insertPush(rowsId: string, push: { state: string; title?: string; problem?: object }) {
  const [id, table] = [crypto.randomUUID(), crypto.randomUUID()];
  const { state, title, problem = null } = push;
  if (title !== undefined) {
    await env.DB.prepare(
      `INSERT INTO tables (id, team_id, token_id, title, family, spreadsheet_id, sheet_id, columns, source, mode,
        push, awaits_headings, as_of, created_at, updated_at) VALUES (?, 'team', 'token', ?, 'company_clean', 'x', 0, '[]', '{}', 'append', 1, 0, 0, 0, 0)`,
    )
      .bind(table, title)
      .run();
  }
  await env.DB.prepare(
    `INSERT INTO pushes (id, team_id, table_id, rows_id, state, rows_written, problem, created_at, updated_at)
      VALUES (?, 'team', ?, ?, ?, 2, ?, ?, ?)`,
  )
    .bind(id, table, rowsId, state, problem && JSON.stringify(problem), clock.now, clock.now + MINUTE)
    .run();
  return id;
}

async function insertDeadLetter(requestId: string, kind: DeadLetterKind, replayedAt: number | null = null) {
  const id = crypto.randomUUID();
  const failure = { code: 'no_answer', error: 'It failed.' };
  const letter = { id, kind, teamId: 'team', requestId, body: SECRET, ...failure, at: clock.now, replayedAt };
  await new DeadLetterRepository(env.DB).insert(letter);
  return id;
}

describe('the timeline', () => {
  it('has every step of an order with cached records and a webhook of the caller', async () => {
    const harness = new ServiceHarness();
    await harness.cacheCompanies(['7']);
    const { id } = await harness.createRequest({ webhookUrl: WEBHOOK_URL, cached: ['7'] });
    expect(await listCodes(id)).toEqual(['created']);
    await harness.advance(id);
    await harness.advance(id);
    clock.now += MINUTE;
    await handleWebhook(env, id, `{"status": "${SECRET}"}`, clock.now);
    status = 500;
    await harness.runSteps(id, retryDelaysMs[0]);
    expect(await findText(id, 'caller_not_notified')).toContain('1 time');
    status = 200;
    clock.now += retryDelaysMs[0] ?? 0;
    await harness.runSteps(id);
    const events = await getEvents(id);
    expect(events.map(({ code, text }) => [code, text])).toEqual([
      ['created', 'Ordered 3 records. 20 credits reserved.'],
      ['cached_records_delivered', '1 row delivered from 1 cached record.'],
      ['sent', 'The provider accepted the order.'],
      ['webhook_received', 'A webhook of the provider arrived.'],
      ['file_ingested', 'part-0.json.gz: 2 rows stored.'],
      ['ended', 'Ready: 3 rows. 20 credits charged.'],
      ['end_announced', 'Open sheets were told that it has ended.'],
      ['caller_notified', 'The caller’s webhook accepted the end.'],
    ]);
    const times = events.flatMap(({ at }) => at ?? []);
    expect(times).toEqual([...times].sort());
    expect(times).toHaveLength(5);
  });

  it('has the pushes and dead letters of its rows, also those of a schedule', async () => {
    const id = await insertDataRequest('team');
    const run = await insertRun('team', crypto.randomUUID(), { request: id });
    clock.now += MINUTE;
    const done = await insertPush(id, { state: 'done', title: '<Bakers>' });
    const failed = await insertPush(run, { state: 'failed', problem: { problem: 'sheet_missing' } });
    await insertPush(crypto.randomUUID(), { state: 'done' });
    clock.now += 2 * MINUTE;
    const letter = await insertDeadLetter(failed, 'push', clock.now + MINUTE);
    await insertDeadLetter('other', 'push');
    const events = await getEvents(id);
    expect(events[0]?.text).toBe('A schedule ordered 3 records. 30 credits reserved.');
    const later = events.filter(({ subject }) => subject !== null);
    expect(later.map(({ code, subject }) => [code, subject]).sort()).toEqual(
      [
        ['push_created', done],
        ['push_done', done],
        ['push_created', failed],
        ['push_failed', failed],
        ['dead_letter', letter],
        ['dead_letter_replayed', letter],
      ].sort(),
    );
    const texts = later.map(({ text }) => text);
    expect(texts).toContain('2 rows written to the table “<Bakers>”.');
    expect(texts).toContain(
      'Rows could not be written to a deleted table. The spreadsheet no longer exists.',
    );
  });

  it('says that the caller’s webhook gave up', async () => {
    const at = clock.now;
    const facts = { webhookUrl: 'x', providerId: 'x', createdAt: at, updatedAt: at, endedAt: at };
    const id = await insertDataRequest('team', facts);
    expect(await listCodes(id)).toEqual(['created', 'sent', 'ended', 'caller_notified']);
    await insertDeadLetter(id, 'webhook');
    expect(await listCodes(id)).toEqual(['created', 'sent', 'ended', 'dead_letter']);
  });

  it.each([
    [{ phase: 'sending', endedAt: null }, ['sent', 'The order is being sent to the provider.']],
    [
      { phase: 'unclear', charged: null, failure: { problem: 'provider_unclear' } },
      ['ended', expect.stringMatching(/30 credits count as spent until you reconcile them\.$/)],
    ],
    [
      { phase: 'failed', charged: 0, failure: { problem: 'not_found', detail: 'None was found.' } },
      ['ended', 'None was found. Nothing was charged.'],
    ],
    [{ phase: 'cancelled', charged: 0, cancelRequested: true }, ['stopped', 'Stopped before it was sent.']],
    [
      { phase: 'running', endedAt: null, cancelRequested: true, providerId: 'x' },
      ['stopped', 'Stopped: nobody waits for it any more.'],
    ],
    [{ clearedAt: 1 }, ['rows_deleted', 'Its rows were deleted after 30 days.']],
    [{ phase: 'reserving', endedAt: null }, ['created', expect.stringMatching(/are being reserved\.$/)]],
  ] as const)('describes %j', async (change, [code, text]) => {
    const id = await insertDataRequest('team', change);
    expect(await findText(id, code)).toEqual(text);
  });

  it('is unknown for an unknown id', async () => {
    const path = `/requests/${crypto.randomUUID()}/timeline`;
    expect(await problem('GET', path)).toMatchObject({ code: 'not_found' });
  });
});
