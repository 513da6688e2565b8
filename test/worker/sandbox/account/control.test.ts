// Steering the sandbox over HTTP: what control takes, what it refuses, what it does.
import { evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { getAccount } from '../../../../worker/sandbox/account/account-object.ts';
import { controlDefaults } from '../../../../worker/sandbox/account/control.ts';
import { call } from '../client.ts';

function control(body: unknown): Promise<Response> {
  return call('/control', {
    method: 'PUT',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

beforeEach(async () => {
  await control(controlDefaults);
});

describe('control', () => {
  it('answers what is set', async () => {
    const response = await call('/control');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      run_ms: 2_000,
      faults: [],
      rate_per_s: 100,
      balance: 10_000_000,
      clock_offset_s: 0,
    });
  });

  it('changes what is named and answers the whole', async () => {
    const fault = { operation: 'enrich', times: 2, status: 500 };
    await control({ run_ms: 10, faults: [fault] });
    const response = await control({ balance: 3 });
    expect(await response.json()).toEqual({ ...controlDefaults, run_ms: 10, faults: [fault], balance: 3 });
  });

  it('holds after the object has lost its memory', async () => {
    await control({ rate_per_s: 3, faults: [{ hang: true }] });
    await evictDurableObject(getAccount(env));
    expect(await (await call('/control')).json()).toMatchObject({ rate_per_s: 3, faults: [{ hang: true }] });
  });

  it('takes a fault with every part', async () => {
    const fault = {
      operation: 'collect',
      family: 'company_base',
      path: '/v2/',
      every: 2,
      times: 1,
      delay_ms: 5,
      status: 502,
      body: '<html>',
      hang: false,
      cut: 3,
      content_type: 'text/html; charset=utf-8',
      headers: { 'retry-after': '5' },
      after: true,
    };
    const response = await control({ faults: [fault] });
    expect(await response.json()).toMatchObject({ faults: [fault] });
  });

  it.each<[string, unknown, (string | number)[]]>([
    ['an empty body', '', ['body']],
    ['a list', [], ['body']],
    ['an unknown name', { speed: 1 }, ['body', 'speed']],
    ['a negative balance', { balance: -1 }, ['body', 'balance']],
    ['a balance as text', { balance: '5' }, ['body', 'balance']],
    ['an endless run', { run_ms: 1e12 }, ['body', 'run_ms']],
    ['a clock beyond all years', { clock_offset_s: 1e18 }, ['body', 'clock_offset_s']],
    ['faults that are no list', { faults: {} }, ['body', 'faults']],
    ['a fault without an effect', { faults: [{ status: 500 }, { every: 2 }] }, ['body', 'faults', 1]],
    [
      'an unknown part of a fault',
      { faults: [{ stauts: 500, hang: true }] },
      ['body', 'faults', 0, 'stauts'],
    ],
    [
      'an unknown operation',
      { faults: [{ operation: 'x', status: 500 }] },
      ['body', 'faults', 0, 'operation'],
    ],
    ['a status that is none', { faults: [{ status: 99 }] }, ['body', 'faults', 0, 'status']],
    ['a type of two lines', { faults: [{ content_type: 'a\r\nb' }] }, ['body', 'faults', 0, 'content_type']],
    [
      'a header of two lines',
      { faults: [{ headers: { a: 'b\nc' } }] },
      ['body', 'faults', 0, 'headers', 'a'],
    ],
    ['too many faults', { faults: Array(101).fill({ hang: true }) }, ['body', 'faults']],
  ])('refuses %s with a 422 that names the part, and changes nothing', async (_, body, loc) => {
    const response = await control(body);
    expect(response.status).toBe(422);
    const { detail } = await response.json<{ detail: { loc: unknown; msg: unknown; type: unknown }[] }>();
    expect(detail[0]).toEqual(
      expect.objectContaining({ loc, msg: expect.any(String), type: expect.any(String) }),
    );
    expect(await (await call('/control')).json()).toEqual(controlDefaults);
  });

  it('says where broken JSON breaks', async () => {
    const response = await control('{"balance": }');
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      detail: [{ loc: ['body', 12], type: 'value_error.jsondecode' }],
    });
  });

  it('is for the owner of the key', async () => {
    expect((await call('/control', { headers: { apikey: 'other' } })).status).toBe(401);
  });
});

describe('the service', () => {
  it('is steered by it', async () => {
    await control({ balance: 5, rate_per_s: 50 });
    const response = await call('/cdapi/v2/company_base/collect/1');
    expect(response.status).toBe(402);
    expect(response.headers.get('x-ratelimit-limit-second')).toBe('50');
    expect(response.headers.get('x-credits-remaining')).toBe('5');
  });

  it('gives each answer another id', async () => {
    const id = async () => (await call('/cdapi/v2/x')).headers.get('x-correlation-id');
    const [one, two] = [await id(), await id()];
    expect(one).toMatch(/^[0-9a-f-]{36}$/);
    expect(two).not.toBe(one);
  });
});
