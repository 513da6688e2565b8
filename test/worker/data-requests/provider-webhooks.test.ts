// Webhooks of the provider: authentication, and their limited effect.
import { env, exports as worker } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ingestFile } from '../../../worker/data-requests/ingest/index.ts';
import { handleWebhook } from '../../../worker/data-requests/provider-webhooks.ts';
import { getRowStore } from '../../../worker/data-requests/state-machine.ts';
import { captureErrorLog } from '../logged-errors.ts';
import { gzipLines, respond, ServiceHarness } from './service-harness.ts';

const BODY = JSON.stringify({ data_request_id: 'x', status: 'ready' });

const running = respond(202);

/** Submits a data request. @returns it with the path of its webhook */
async function submitRequest(
  harness = new ServiceHarness({ list: running }),
): Promise<{ harness: ServiceHarness; id: string; path: string }> {
  const { id } = await harness.createRequest();
  await harness.advance(id);
  return { harness, id, path: new URL(harness.webhookUrls[0] ?? '').pathname };
}

const post = (path: string, body: BodyInit = BODY): Promise<Response> =>
  worker.default.fetch(`http://127.0.0.1${path}`, { method: 'POST', body });

/** Reads the stored webhook bodies of a data request. */
async function readWebhooks(id: string): Promise<unknown[]> {
  const { results } = await env.DB.prepare('SELECT body FROM request_webhooks WHERE request_id = ?')
    .bind(id)
    .all();
  return results.map(({ body }) => body);
}

/** The test runs the steps: the consumer would call the Worker's own provider instead of the harness. */
const sendBatch = vi.spyOn(env.JOBS, 'sendBatch');

beforeEach(() => {
  sendBatch.mockReset();
  sendBatch.mockResolvedValue({ metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } });
});

describe('the webhook endpoint', () => {
  it('redacts an API key that the provider echoes', async () => {
    const { id, path } = await submitRequest();
    const echo = `{"status":"failed","reason":"${env.SANDBOX_KEY} and ${btoa(env.SANDBOX_KEY)}"}`;
    expect((await post(path, echo)).status).toBe(204);
    await expect
      .poll(() => readWebhooks(id))
      .toEqual([
        expect.stringMatching(/^\{"status":"failed","reason":"\[redacted\] and \[redacted\]\w="\}$/),
      ]);
  });

  it('returns the same 404 for unknown, forged and late webhooks and other methods', async () => {
    const { harness, id, path } = await submitRequest();
    const secret = path.split('/').at(-1) ?? '';
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    const forged = secret.replace(/^./, (first) => (first === '0' ? '1' : '0'));
    const late = await submitRequest(new ServiceHarness());
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
    expect(await readWebhooks(id)).toEqual([]);
    expect(harness.countCalls('list')).toBe(0);
  });

  it('stores only the hash of the secret', async () => {
    const { id, path } = await submitRequest();
    const { results } = await env.DB.prepare('SELECT * FROM requests WHERE id = ?').bind(id).all();
    expect(JSON.stringify(results)).not.toContain(path.split('/').at(-1));
  });

  it('does not read an endless body', async () => {
    const { id, path } = await submitRequest();
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
    expect(await readWebhooks(id)).toEqual([]);
  });
});

describe('a webhook', () => {
  it('has one effect if it arrives fifty times and out of order', async () => {
    const { harness, id, path } = await submitRequest(
      new ServiceHarness({ list: running, file: () => gzipLines({ id: 1 }) }),
    );
    const bodies = [BODY, JSON.stringify({ data_request_id: 'x', status: 'failed' })];
    await Promise.all(Array.from({ length: 50 }, (_, at) => post(path, bodies[at % 2] ?? '')));
    await expect.poll(() => readWebhooks(id)).toHaveLength(2);
    await expect.poll(() => sendBatch.mock.calls.length).toBe(2);
    expect(sendBatch).toHaveBeenCalledWith([{ body: { kind: 'data_request', id }, delaySeconds: 0 }]);
    // The provider's file list decides.
    await harness.advance(id);
    expect((await harness.getRow(id)).phase).toBe('running');
    harness.setScript({ list: respond(200, { data_request_files: ['part-0.json.gz'] }) });
    await harness.runSteps(id);
    expect(await harness.getRow(id)).toMatchObject({ phase: 'ready', rows: 1, charged: 10 });
    expect((await post(path)).status).toBe(204);
    await harness.runSteps(id);
    expect(await harness.getRow(id)).toMatchObject({ phase: 'ready', rows: 1, charged: 10 });
    expect(harness.countCalls('create')).toBe(1);
    expect(harness.countCalls('file')).toBe(1);
  });

  it('is neither trusted nor fetched', async () => {
    const { harness, id } = await submitRequest();
    const fetchSpy = vi.spyOn(globalThis, 'fetch');
    const body = JSON.stringify({
      data_request_id: '../../x',
      status: 'ready',
      data_request_files: ['https://elsewhere.example/x.json.gz'],
      url: 'http://169.254.169.254/',
    });
    await handleWebhook(env, id, body, Date.now());
    await harness.advance(id);
    expect((await harness.getRow(id)).phase).toBe('running');
    expect(fetchSpy).not.toHaveBeenCalled();
    expect(harness.calls).toEqual(['create', 'list']);
  });

  it('is stored at most ten times with different bodies', async () => {
    const { id } = await submitRequest();
    for (let at = 0; at < 20; at += 1) {
      await handleWebhook(env, id, `${BODY}${at}`, Date.now());
    }
    expect(await readWebhooks(id)).toHaveLength(10);
  });
});

it('a truncated result file is logged', async () => {
  const lines = captureErrorLog();
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new Error('jane-doe')),
  });
  const file = { requestId: 'order', family: 'company_clean', fileIndex: 3, body } as const;
  await ingestFile(getRowStore(env), file);
  expect(lines).toMatchObject([
    { event: 'data_request_file_truncated', data_request: 'order', file: 3, truncation: 'incomplete' },
  ]);
});
