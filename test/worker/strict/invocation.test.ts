// An invocation: its operations are counted, its connections are six, and every call of a binding is on record.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { type InvocationOptions, strictEnv, type Violation } from './index.ts';

const strict = (options: InvocationOptions = {}) => strictEnv(env, { clock: () => Date.now(), ...options });

const request = new Request('http://provider.example/');

/** A fetch whose answers come when the test lets them. */
function held() {
  const answers: ((response: Response) => void)[] = [];
  return {
    answers,
    send: () => new Promise<Response>((resolve) => answers.push(resolve)),
  };
}

/** Lets everything run that needs no event from outside. */
const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('the calls of an invocation', () => {
  it('are on record, each with its binding and method', async () => {
    const { env: bindings, touched, fetch } = strict();
    await bindings.RECORDS.get('a');
    await bindings.RECORDS.get(['a', 'b']);
    await bindings.DB.prepare('SELECT 1').first();
    await bindings.DB.batch([bindings.DB.prepare('SELECT 1'), bindings.DB.prepare('SELECT ?').bind(2)]);
    await bindings.PROVIDER_ACCOUNT.getByName('strict').state();
    await bindings.STRANGERS.limit({ key: 'somebody' });
    await bindings.PROVIDER_FILES.head('none');
    await bindings.STRICT_QUEUE.send('hello');
    await fetch(() => new Response())(request);
    expect(touched()).toEqual([
      'RECORDS.get',
      'RECORDS.get',
      'DB.first',
      'DB.batch',
      'PROVIDER_ACCOUNT.state',
      'STRANGERS.limit',
      'PROVIDER_FILES.head',
      'STRICT_QUEUE.send',
      'fetch.GET',
    ]);
  });

  it.each<[string, (bindings: Cloudflare.Env) => unknown]>([
    ['a method that nobody counts', ({ DB }) => DB.withSession],
    [
      'a binding that nobody counts',
      (bindings) => Reflect.get(Object(Reflect.get(bindings, '__VITEST_POOL_WORKERS_UNSAFE_EVAL')), 'eval'),
    ],
  ])('can not pass by %s', (_, use) => {
    const { env: bindings } = strict();
    expect(() => use(bindings)).toThrow(/the strict .* knows no/);
  });
});

describe('the thousand operations of an invocation', () => {
  it('are enough for a thousand, whichever service they call; one more is refused and noted', async () => {
    const noted: Violation[] = [];
    const {
      env: bindings,
      violations,
      fetch,
    } = strict({ onViolation: (violation) => noted.push(violation) });
    for (let at = 0; at < 500; at += 1) {
      await fetch(() => new Response())(request);
      await bindings.RECORDS.get('a');
    }
    expect(violations()).toEqual([]);
    await expect(bindings.RECORDS.get('a')).rejects.toThrow('Too many API requests');
    expect(() => bindings.PROVIDER_ACCOUNT.getByName('strict').state()).toThrow('Too many');
    expect(violations().map(({ code, binding }) => [code, binding])).toEqual([
      ['operations', 'RECORDS'],
      ['operations', 'PROVIDER_ACCOUNT'],
    ]);
    expect(noted).toEqual(violations());
  });
});

describe('the six connections of an invocation', () => {
  it('make the seventh wait until a response has its headers, read or not', async () => {
    const { fetch, connections } = strict();
    const { answers, send } = held();
    const calls = Array.from({ length: 7 }, () => fetch(send)(request));
    await turn();
    expect(answers).toHaveLength(6);
    expect(connections()).toEqual({ wanted: 7, waiting: 1 });
    answers[0]?.(new Response('not read'));
    await turn();
    expect(answers).toHaveLength(7);
    for (const answer of answers) answer(new Response());
    expect(await Promise.all(calls)).toHaveLength(7);
    expect(connections()).toEqual({ wanted: 7, waiting: 0 });
  });

  it('are shared by fetch, KV, buckets and queues, not by databases and objects', async () => {
    const { env: bindings, fetch, connections } = strict();
    const { answers, send } = held();
    const held6 = Array.from({ length: 6 }, () => fetch(send)(request));
    const waiting = [
      bindings.RECORDS.get('a'),
      bindings.PROVIDER_FILES.head('a'),
      bindings.STRICT_QUEUE.send('a'),
    ];
    await bindings.DB.prepare('SELECT 1').first();
    await bindings.PROVIDER_ACCOUNT.getByName('strict').state();
    expect(connections().waiting).toBe(3);
    for (const answer of answers) answer(new Response());
    await Promise.all([...held6, ...waiting]);
  });

  it('are given back where a call fails', async () => {
    const { fetch, connections } = strict();
    const failing = fetch(() => Promise.reject(new Error('gone')));
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => failing(request)));
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(connections()).toEqual({ wanted: 20, waiting: 0 });
  });
});
