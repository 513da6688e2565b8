// Webhooks of data requests: what is sent, to whom, how often, and that no receiver holds anything up.
import { describe, expect, it } from 'vitest';
import { assumptions } from '../../../../worker/sandbox/api/assumptions.ts';
import { parseWebhookAddress } from '../../../../worker/sandbox/requests/webhook-address.ts';
import { addRecords, create, type Desk, orderOf, withDesk } from './harness.ts';

const URL_OF_HOOK = 'https://hooks.example/a?b=c';
const DAY_MS = 86_400_000;

/** A ready request with a webhook, at the moment at which it is due. */
async function ready(desk: Desk): Promise<string> {
  addRecords(desk, 'company_clean', ['1']);
  const id = await create(desk, orderOf(['1'], { webhook: URL_OF_HOOK }));
  await desk.until(desk.clock.now + 2_000);
  return id;
}

describe('a webhook', () => {
  it(assumptions.webhookBody, () =>
    withDesk(async (desk) => {
      const id = await ready(desk);
      const [sent, ...others] = desk.webhooks.sent;
      expect(others).toEqual([]);
      expect(sent?.body).toEqual({ data_request_id: id, status: 'ready' });
      expect(sent?.request.method).toBe('POST');
      expect(sent?.request.url).toBe(URL_OF_HOOK);
      expect(sent?.request.headers.get('content-type')).toBe('application/json');
      expect(sent?.request.redirect).toBe('manual');
    }),
  );

  it('of a request that failed says so', () =>
    withDesk(async (desk) => {
      const id = await create(desk, orderOf(['404'], { webhook: URL_OF_HOOK }));
      await desk.until(desk.clock.now + 2_000);
      expect(desk.webhooks.sent.map(({ body }) => body)).toEqual([{ data_request_id: id, status: 'failed' }]);
    }));

  it('is not sent where none was asked for', () =>
    withDesk(async (desk) => {
      addRecords(desk, 'company_clean', ['1']);
      await create(desk, orderOf(['1']));
      await desk.until(desk.clock.now + DAY_MS);
      expect(desk.webhooks.sent).toEqual([]);
      expect(desk.wake.at).toBeUndefined();
    }));

  it('is not sent before GET files says the same', () =>
    withDesk(async (desk) => {
      addRecords(desk, 'company_clean', ['1']);
      const id = await create(desk, orderOf(['1'], { webhook: URL_OF_HOOK }));
      const kinds: string[] = [];
      desk.webhooks.answer = async () => {
        kinds.push((await desk.requests.getFiles(id)).kind);
        return new Response();
      };
      await desk.until(desk.clock.now + 2_000);
      expect(kinds).toEqual(['ready']);
    }));

  it.each<[string, () => Promise<Response>]>([
    ['an error', async () => new Response('no', { status: 500 })],
    ['a redirect', async () => Response.redirect('https://elsewhere.example/', 307)],
    ['a refusal', async () => new Response(null, { status: 404 })],
    ['no connection', async () => Promise.reject(new TypeError('no connection'))],
    ['silence', async () => Promise.reject(new DOMException('too late', 'TimeoutError'))],
  ])(`${assumptions.webhookTries} (%s)`, (_, answer) =>
    withDesk(async (desk) => {
      desk.webhooks.answer = answer;
      await ready(desk);
      const first = desk.clock.now;
      await desk.until(first + DAY_MS);
      const waits = desk.webhooks.sent.map(({ at }) => at - first);
      expect(waits).toEqual([0, 1_000, 6_000, 36_000, 156_000, 756_000]);
      expect(desk.wake.at).toBeUndefined();
    }),
  );

  it('is sent no more once it was taken', () =>
    withDesk(async (desk) => {
      desk.webhooks.answer = async () =>
        new Response(null, { status: desk.webhooks.sent.length < 3 ? 503 : 202 });
      await ready(desk);
      await desk.until(desk.clock.now + DAY_MS);
      expect(desk.webhooks.sent).toHaveLength(3);
    }));

  it('of which the answer got lost with the process is sent again', () =>
    withDesk(async (desk) => {
      addRecords(desk, 'company_clean', ['1']);
      await create(desk, orderOf(['1'], { webhook: URL_OF_HOOK }));
      desk.webhooks.answer = () => new Promise(() => {});
      desk.clock.now += 2_000;
      await desk.requests.run();
      desk.webhooks.answer = async () => new Response();
      desk.requests = desk.open();
      await desk.requests.scheduleNext();
      await desk.until(desk.clock.now + DAY_MS);
      expect(desk.webhooks.sent.map(({ at }) => at - (desk.webhooks.sent[0]?.at ?? 0))).toEqual([0, 15_000]);
    }));

  it('that nobody takes off the wire holds up no other request', () =>
    withDesk(async (desk) => {
      addRecords(desk, 'company_clean', ['1']);
      const hung = Promise.withResolvers<Response>();
      desk.webhooks.answer = () => hung.promise;
      await create(desk, orderOf(['1'], { webhook: URL_OF_HOOK }));
      desk.clock.now += 2_000;
      await desk.requests.run();
      const other = await create(desk, orderOf(['1']));
      desk.clock.now += 2_000;
      await desk.requests.run();
      expect((await desk.requests.getFiles(other)).kind).toBe('ready');
      hung.resolve(new Response());
      await desk.requests.whenIdle();
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
    ['http://127.0.0.1:8787/hooks', 'http://127.0.0.1:8787/hooks'],
    ['http://localhost:8787/hooks', 'http://localhost:8787/hooks'],
    ['http://[::1]:8787/hooks', 'http://[::1]:8787/hooks'],
    ['http://app.localhost/', 'http://app.localhost/'],
  ])('%s is taken', (text, expected) => {
    expect(parseWebhookAddress(text)).toBe(expected);
  });

  it.each([
    '',
    'hooks.example/a',
    '/a',
    'https://',
    'http://hooks.example/a',
    'ftp://hooks.example/a',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://user:password@hooks.example/',
    'https://user@hooks.example/',
    'https://intranet/',
    'https://printer.local/',
    'https://db.internal/',
    'https://router.home.arpa/',
    'https://db.internal./',
    'https://0.0.0.0/',
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://172.31.255.255/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://100.64.0.1/',
    'https://198.19.0.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://0xa9fea9fe/',
    'https://2852039166/',
    'https://0251.0376.0251.0376/',
    'https://[fc00::1]/',
    'https://[fd12:3456::1]/',
    'https://[fe80::1]/',
    'https://[::]/',
    'https://[ff02::1]/',
    'https://[2001:db8::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[::ffff:169.254.169.254]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://[2002:c0a8:101::1]/',
    `https://hooks.example/${'a'.repeat(2048)}`,
  ])('%s is refused', (text) => {
    expect(parseWebhookAddress(text)).toBeUndefined();
  });

  it('addresses next to the private ones are taken', () => {
    const next = [
      'https://172.15.255.255/',
      'https://172.32.0.0/',
      'https://100.128.0.1/',
      'https://11.0.0.1/',
    ];
    expect(next.map(parseWebhookAddress)).toEqual(next);
    expect(parseWebhookAddress('https://[::ffff:8.8.8.8]/')).toBe('https://[::ffff:808:808]/');
  });
});
