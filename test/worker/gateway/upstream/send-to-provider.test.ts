// Failed calls: their outcome is unclear unless it is proven that they were not sent.
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  classifyError,
  classifyStatus,
  NotSentError,
  sendToProvider,
} from '../../../../worker/gateway/upstream/send-to-provider.ts';
import type { ProviderEndpoint } from '../../../../worker/gateway/upstream/upstream.ts';

describe('classifyError', () => {
  // workerd throws such errors for a refused connection and for one that broke after sending.
  it('returns unclear for errors of the platform', () => {
    const lost = Object.assign(new Error('Network connection lost.'), { retryable: true });
    for (const error of [lost, new DOMException('', 'TimeoutError'), 'connection refused']) {
      expect(classifyError(error)).toBe('unclear');
    }
  });

  it('returns not_sent if the request could not be built', () => {
    expect(classifyError(new NotSentError())).toBe('not_sent');
  });
});

describe('classifyStatus', () => {
  // The sources are in send-to-provider.ts.
  it.each([
    [undefined, [200, 404, 429, 500, 502, 503]],
    ['not_sent', [521, 523, 525, 526, 530]],
    ['unclear', [504, 520, 522, 524, 599]],
  ] as const)('returns %s for %j', (outcome, statuses) => {
    expect(statuses.map(classifyStatus)).toEqual(statuses.map(() => outcome));
  });
});

describe('sendToProvider', () => {
  const lines: string[] = [];
  beforeEach(() => {
    lines.length = 0;
    vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(String(line)));
  });
  afterEach(() => vi.restoreAllMocks());

  const endpoint = (change: Partial<ProviderEndpoint>): ProviderEndpoint => ({
    baseUrl: 'http://provider.example/cdapi',
    apiKey: env.SANDBOX_KEY,
    fetch: (request) => fetch(request),
    ...change,
  });
  const sendAndCatch = async (change: Partial<ProviderEndpoint>): Promise<unknown> =>
    sendToProvider(endpoint(change), '/v2/jane-doe', { method: 'GET' }).catch((error: unknown) => error);

  it('logs a failed call without personal data', async () => {
    const error = await sendAndCatch({ fetch: () => Promise.reject(new TypeError('jane-doe')) });
    expect(classifyError(error)).toBe('unclear');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { event: 'provider_call_failed', outcome: 'unclear', error: 'TypeError' },
    ]);
    expect(lines.join()).not.toContain('jane-doe');
  });

  it('neither sends nor logs the key of a request that cannot be built', async () => {
    const sent: Request[] = [];
    const error = await sendAndCatch({
      apiKey: 'key\nof-ours',
      fetch: async (request) => {
        sent.push(request);
        return new Response();
      },
    });
    expect([classifyError(error), sent]).toEqual(['not_sent', []]);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { event: 'provider_call_failed', outcome: 'not_sent', error: 'NotSentError' },
    ]);
    expect(`${lines} ${error}`).not.toContain('of-ours');
  });

  it('proves nothing about a connection that this platform cannot make', async () => {
    expect(classifyError(await sendAndCatch({ baseUrl: 'http://127.0.0.1:1' }))).toBe('unclear');
  });
});
