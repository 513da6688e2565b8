// Word from the provider that a request has ended: who may say it, and how little follows from it.
import { env, exports as worker } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { consumeWebhooks, handleWebhook } from '../../../worker/data-requests/provider-webhooks.ts';
import { call } from './bulk.ts';
import { gzipLines, ServiceHarness } from './service-harness.ts';

const WORD = JSON.stringify({ data_request_id: 'x', status: 'ready' });

const running = () => Response.json({ message: 'Data request is still being processed' }, { status: 202 });

/** A request that the provider works on, and the path of its webhook. */
async function submitted(
  harness = new ServiceHarness({ list: running }),
): Promise<{ harness: ServiceHarness; id: string; path: string }> {
  const { id } = await harness.createRequest();
  await harness.advance(id);
  return { harness, id, path: new URL(harness.webhookUrls[0] ?? '').pathname };
}

const post = (path: string, body: BodyInit = WORD): Promise<Response> =>
  worker.default.fetch(`http://127.0.0.1${path}`, { method: 'POST', body });

async function heard(id: string): Promise<number> {
  const { results } = await env.DB.prepare('SELECT 1 FROM request_hooks WHERE request_id = ?').bind(id).all();
  return results.length;
}

const nothing = async (): Promise<void> => {};
const woken = vi.fn(nothing);
/** Stands for who works on a request: woken, it would ask the Worker's own provider, which knows nothing of a harness's. */
const worked: WorkflowInstance = {
  id: '',
  pause: nothing,
  resume: nothing,
  terminate: nothing,
  restart: nothing,
  delete: nothing,
  subscribe: () => Promise.reject(new Error('nothing to tell')),
  status: async () => ({ status: 'waiting' }),
  sendEvent: woken,
};

beforeEach(() => {
  vi.restoreAllMocks();
  woken.mockReset();
  vi.spyOn(env.REQUESTS, 'get').mockResolvedValue(worked);
});

describe('the door', () => {
  it('keeps no key of the provider that it echoes: the caller is told what is kept', async () => {
    const { id, path } = await submitted();
    const echo = `{"status":"failed","reason":"${env.SANDBOX_KEY} and ${btoa(env.SANDBOX_KEY)}"}`;
    expect((await post(path, echo)).status).toBe(204);
    await expect.poll(() => heard(id), { timeout: 10_000 }).toBe(1);
    const kept = await env.DB.prepare('SELECT body FROM request_hooks WHERE request_id = ?')
      .bind(id)
      .first('body');
    expect(kept).toMatch(/^\{"status":"failed","reason":"\[redacted\] and \[redacted\]\w="\}$/);
  });

  it('answers the same to what is unknown, forged or too late, and to other methods', async () => {
    const { harness, id, path } = await submitted();
    const secret = path.split('/').at(-1) ?? '';
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    const forged = secret.replace(/^./, (first) => (first === '0' ? '1' : '0'));
    const late = await submitted(new ServiceHarness());
    await late.harness.runSteps(late.id);
    await env.DB.prepare('UPDATE requests SET ended_at = ended_at - 90000000 WHERE id = ?')
      .bind(late.id)
      .run();
    const answers = await Promise.all([
      post(`/hooks/requests/${crypto.randomUUID()}/${secret}`),
      post(`/hooks/requests/${id}/${forged}`),
      post(`/hooks/requests/${id}/${secret.slice(1)}`),
      post(`/hooks/requests/${late.id}/${late.path.split('/').at(-1)}`),
      worker.default.fetch(`http://127.0.0.1${path}`),
    ]);
    const bodies = await Promise.all(
      answers.map(async (answer) => ({ ...(await answer.json<object>()), instance: 0 })),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(await heard(id)).toBe(0);
    expect(harness.countCalls('list')).toBe(0);
  });

  it('keeps the hash of a secret, never the secret', async () => {
    const { id, path } = await submitted();
    const { results } = await env.DB.prepare('SELECT * FROM requests WHERE id = ?').bind(id).all();
    expect(JSON.stringify(results)).not.toContain(path.split('/').at(-1));
  });

  it('reads no more than a few words', async () => {
    const { id, path } = await submitted();
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 1;
        if (sent > 16_384) controller.close();
        else controller.enqueue(new Uint8Array(65_536));
      },
    });
    expect((await post(path, endless)).status).toBe(413);
    expect(sent).toBeLessThan(100);
    expect(await heard(id)).toBe(0);
  });
});

describe('what is heard', () => {
  it('fifty times and out of order has one effect', async () => {
    const { harness, id, path } = await submitted(
      new ServiceHarness({ list: running, file: () => gzipLines({ id: 1 }) }),
    );
    const words = [WORD, JSON.stringify({ data_request_id: 'x', status: 'failed' })];
    await Promise.all(Array.from({ length: 50 }, (_, at) => post(path, words[at % 2] ?? '')));
    await expect.poll(() => heard(id), { timeout: 10_000 }).toBe(2);
    await expect.poll(() => woken.mock.calls.length, { timeout: 10_000 }).toBe(2);
    // The provider itself says that it is still working: that is what counts.
    await harness.advance(id);
    expect((await harness.getRow(id)).phase).toBe('running');
    harness.setScript({ list: () => Response.json({ data_request_files: ['part-0.json.gz'] }) });
    await harness.runSteps(id);
    expect(await harness.getRow(id)).toMatchObject({ phase: 'ready', rows: 1, charged: 10 });
    expect((await post(path)).status).toBe(204);
    await harness.runSteps(id);
    expect(await harness.getRow(id)).toMatchObject({ phase: 'ready', rows: 1, charged: 10 });
    expect(harness.countCalls('create')).toBe(1);
    expect(harness.countCalls('file')).toBe(1);
  });

  it('is neither believed nor fetched', async () => {
    const { harness, id } = await submitted();
    const elsewhere = vi.spyOn(globalThis, 'fetch');
    const lie = JSON.stringify({
      data_request_id: '../../x',
      status: 'ready',
      data_request_files: ['https://elsewhere.example/x.json.gz'],
      url: 'http://169.254.169.254/',
    });
    await handleWebhook(env, { request: id, body: lie }, Date.now());
    await harness.advance(id);
    expect((await harness.getRow(id)).phase).toBe('running');
    expect(elsewhere).not.toHaveBeenCalled();
    expect(harness.calls).toEqual(['create', 'list']);
  });

  it('in more than ten different texts is noise', async () => {
    const { id } = await submitted();
    for (let at = 0; at < 20; at += 1) {
      await handleWebhook(env, { request: id, body: `${WORD}${at}` }, Date.now());
    }
    expect(await heard(id)).toBe(10);
  });

  it('too often in vain is a dead letter, which the admin reads and replays', async () => {
    const { id } = await submitted();
    const acked: string[] = [];
    const message = {
      id: 'letter-1',
      timestamp: new Date(),
      attempts: 6,
      body: { request: id, body: WORD },
      ack: () => acked.push('letter-1'),
      retry: () => {
        throw new Error('not to be retried');
      },
    };
    const batch = {
      queue: 'cdapi-webhooks-dead',
      messages: [message],
      metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } },
      ackAll: () => {},
      retryAll: () => {},
    };
    await consumeWebhooks(batch, env, () => Date.now());
    expect(acked).toEqual(['letter-1']);
    const admin = { headers: { authorization: `Bearer ${env.ADMIN_TOKEN}` } };
    const list = await (await call('/admin/v1/dead-letters', admin)).json<{ dead_letters: object[] }>();
    expect(list.dead_letters).toMatchObject([
      { id: 'letter-1', kind: 'hook', request: id, replayed_at: null },
    ]);
    const replayed = await call('/admin/v1/dead-letters/letter-1/replay', { ...admin, method: 'POST' });
    expect(await replayed.json()).toMatchObject({ id: 'letter-1', replayed_at: expect.any(String) });
    expect(await heard(id)).toBe(1);
  });
});
