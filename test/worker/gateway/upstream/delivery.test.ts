// Delivery of failed calls: "Unless non-delivery is proven, the outcome is unclear." (issue 14, 5)
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  classifyError,
  classifyStatus,
  NotSentError,
  sendToProvider,
} from '../../../../worker/gateway/upstream/delivery.ts';
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
  it.each([
    // Contract, "Errors": the provider's own; "Only a 200 of collect, enrich or preview is charged."
    [200, undefined],
    [404, undefined],
    [429, undefined],
    [500, undefined],
    [502, undefined],
    [503, undefined],
    // "Error 521 occurs when the origin web server refuses connections from Cloudflare."
    [521, 'not_sent'],
    // "This error occurs when Cloudflare cannot contact your origin web server."
    [523, 'not_sent'],
    // The TLS handshake fails, or its certificate is rejected, before a request is sent.
    [525, 'not_sent'],
    [526, 'not_sent'],
    // "Cloudflare is unable to resolve the origin hostname, preventing it from establishing a connection"
    [530, 'not_sent'],
    [520, 'unclear'],
    // "After a connection is established, the origin web server does not acknowledge (ACK) Cloudflare's resource request"
    [522, 'unclear'],
    [524, 'unclear'],
    // A gateway has passed the request on, and nobody answered in time.
    [504, 'unclear'],
    [599, 'unclear'],
  ] as const)('classifies %i as %s', (status, delivery) => {
    expect(classifyStatus(status)).toBe(delivery);
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
      { event: 'provider_call_failed', delivery: 'unclear', error: 'TypeError' },
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
      { event: 'provider_call_failed', delivery: 'not_sent', error: 'NotSentError' },
    ]);
    expect(`${lines} ${error}`).not.toContain('of-ours');
  });

  it('proves nothing about a connection that this platform cannot make', async () => {
    expect(classifyError(await sendAndCatch({ baseUrl: 'http://127.0.0.1:1' }))).toBe('unclear');
  });
});
