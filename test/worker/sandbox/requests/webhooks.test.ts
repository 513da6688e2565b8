// Webhooks of data requests: contents, retries, addresses.
import { describe, expect, it } from 'vitest';
import { parseWebhookAddress } from '../../../../worker/lib/webhook-address.ts';
import { assumptions } from '../assumptions.ts';
import {
  addRecords,
  buildOrder,
  create,
  createAndRun,
  type RequestHarness,
  readState,
  withRecords,
  withRequests,
} from './harness.ts';

const WEBHOOK = 'https://hooks.example/a?b=c';
const DAY_MS = 86_400_000;

/** Creates a request with a webhook and runs it until it is ready. */
async function createReady(harness: RequestHarness): Promise<string> {
  addRecords(harness, ['1']);
  const id = await createAndRun(harness, buildOrder(['1'], { webhook: WEBHOOK }));
  return id;
}

const listDelays = ({ webhooks: { sent } }: RequestHarness): number[] =>
  sent.map(({ at }) => at - (sent[0]?.at ?? 0));

describe('a webhook', () => {
  it(assumptions.webhookBody, () =>
    withRequests(async (harness) => {
      const id = await createReady(harness);
      const [sent, ...others] = harness.webhooks.sent;
      expect(others).toEqual([]);
      expect(sent?.body).toEqual({ data_request_id: id, status: 'ready' });
      expect(sent?.request).toMatchObject({ method: 'POST', url: WEBHOOK, redirect: 'manual' });
      expect(sent?.request.headers.get('content-type')).toBe('application/json');
      const failed = await createAndRun(harness, buildOrder(['404'], { webhook: WEBHOOK }));
      expect(harness.webhooks.sent[1]?.body).toEqual({ data_request_id: failed, status: 'failed' });
    }),
  );

  it('is not sent without an address', () =>
    withRecords(['1'], async (harness) => {
      await create(harness, buildOrder(['1']));
      await harness.advance(DAY_MS);
      expect(harness.webhooks.sent).toEqual([]);
      expect(harness.alarm.at).toBeUndefined();
    }));

  it('is sent after GET files returns the same state', () =>
    withRecords(['1'], async (harness) => {
      const id = await create(harness, buildOrder(['1'], { webhook: WEBHOOK }));
      const states: string[] = [];
      harness.webhooks.respond = async () => {
        states.push(await readState(harness, id));
        return new Response();
      };
      await harness.advance(2_000);
      expect(states).toEqual(['ready']);
    }));

  it.each<[string, () => Promise<Response>]>([
    ['a 500', async () => new Response('no', { status: 500 })],
    ['a redirect', async () => Response.redirect('https://elsewhere.example/', 307)],
    ['a 404', async () => new Response(null, { status: 404 })],
    ['no connection', async () => Promise.reject(new TypeError('no connection'))],
    ['a timeout', async () => Promise.reject(new DOMException('too late', 'TimeoutError'))],
  ])(`${assumptions.webhookTries} (%s)`, (_, respond) =>
    withRequests(async (harness) => {
      harness.webhooks.respond = respond;
      await createReady(harness);
      await harness.advance(DAY_MS);
      expect(listDelays(harness)).toEqual([0, 1_000, 6_000, 36_000, 156_000, 756_000]);
      expect(harness.alarm.at).toBeUndefined();
    }),
  );

  it('is not repeated after a 2xx', () =>
    withRequests(async (harness) => {
      const { sent } = harness.webhooks;
      harness.webhooks.respond = async () => new Response(null, { status: sent.length < 3 ? 503 : 202 });
      await createReady(harness);
      await harness.advance(DAY_MS);
      expect(sent).toHaveLength(3);
    }));

  it('is repeated if the process ended before the response', () =>
    withRecords(['1'], async (harness) => {
      await create(harness, buildOrder(['1'], { webhook: WEBHOOK }));
      harness.webhooks.respond = () => new Promise(() => {});
      harness.clock.now += 2_000;
      await harness.service.alarm();
      harness.webhooks.respond = async () => new Response();
      harness.service = harness.restart();
      await harness.advance(DAY_MS);
      expect(listDelays(harness)).toEqual([0, 15_000]);
    }));

  it("doesn't block other requests while the receiver hangs", () =>
    withRecords(['1'], async (harness) => {
      const hanging = Promise.withResolvers<Response>();
      harness.webhooks.respond = () => hanging.promise;
      await create(harness, buildOrder(['1'], { webhook: WEBHOOK }));
      harness.clock.now += 2_000;
      await harness.service.alarm();
      const other = await create(harness, buildOrder(['1']));
      harness.clock.now += 2_000;
      await harness.service.alarm();
      expect(await readState(harness, other)).toBe('ready');
      hanging.resolve(new Response());
      await harness.service.whenIdle();
    }));
});

describe(assumptions.webhookAddresses, () => {
  it.each([
    ['https://hooks.example/a', 'https://hooks.example/a'],
    ['https://hooks.example:8443/a?b#c', 'https://hooks.example:8443/a?b'],
    ['HTTPS://Hooks.Example', 'https://hooks.example/'],
    ['https://93.184.215.14/x', 'https://93.184.215.14/x'],
    [
      'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
      'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
    ],
    ['https://[::ffff:8.8.8.8]/', 'https://[::ffff:808:808]/'],
    ...[
      'http://127.0.0.1:8787/hooks',
      'http://localhost:8787/hooks',
      'http://[::1]:8787/hooks',
      'http://app.localhost/',
    ]
      // Next to private ranges.
      .concat('https://172.15.255.255/', 'https://172.32.0.0/', 'https://100.128.0.1/', 'https://11.0.0.1/')
      .map((address) => [address, address]),
  ])('accepts %s', (text, address) => {
    expect(parseWebhookAddress(text, true)).toBe(address);
  });

  it.each([
    ...['', 'hooks.example/a', '/a', 'https://', 'http://hooks.example/a', 'ftp://hooks.example/a'],
    ...['javascript:alert(1)', 'file:///etc/passwd', `https://hooks.example/${'a'.repeat(2048)}`],
    ...['https://user:password@hooks.example/', 'https://user@hooks.example/', 'https://intranet/'],
    ...[
      'https://printer.local/',
      'https://db.internal/',
      'https://router.home.arpa/',
      'https://db.internal./',
      'https://printer.localdomain/',
      'https://localhost../',
      'https://hooks.example../',
      'https://a..example.com/',
      'https://.example.com/',
      'https://nas.workgroup/',
      'https://hidden.onion/',
    ],
    ...['https://0.0.0.0/', 'https://10.0.0.1/', 'https://172.16.0.1/', 'https://172.31.255.255/'],
    ...['https://192.168.1.1/', 'https://169.254.169.254/latest/meta-data', 'https://100.64.0.1/'],
    ...['https://198.19.0.1/', 'https://224.0.0.1/', 'https://255.255.255.255/', 'https://0xa9fea9fe/'],
    ...[
      'https://2852039166/',
      'https://0251.0376.0251.0376/',
      'https://[fc00::1]/',
      'https://[fd12:3456::1]/',
    ],
    ...['https://[fe80::1]/', 'https://[::]/', 'https://[ff02::1]/', 'https://[2001:db8::1]/'],
    ...['https://[::ffff:10.0.0.1]/', 'https://[::ffff:169.254.169.254]/', 'https://[64:ff9b::a9fe:a9fe]/'],
    'https://[2002:c0a8:101::1]/',
  ])('rejects %s', (text) => {
    expect(parseWebhookAddress(text, true)).toBeUndefined();
  });
});
