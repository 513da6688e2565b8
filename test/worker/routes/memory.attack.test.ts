// Attacks on the memory of an isolate by bodies of a few megabytes.
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { splitLines } from '../../../worker/data-requests/order/parse-keys.ts';
import { buildTeamRequest, createGateway } from '../harness.ts';

const MB = 1024 * 1024;

const post = (path: string, body: BodyInit, type: string): Promise<Response> =>
  createGateway(() => Response.json([])).request(path, {
    method: 'POST',
    body,
    headers: { apikey: env.TEAM_TOKEN, 'content-type': type },
  });

it.each([
  ['a query', '/company_base/filter', `{"filters":{"name":"${'x'.repeat(MB)}"}}`, 'application/json'],
  ['a form', '/company_clean/ids', `ids=${'1&ids='.repeat(MB)}`, 'application/x-www-form-urlencoded'],
])('a bulk order with %s of several megabytes: refused with 413', async (_, path, body, type) => {
  expect((await post(`/cdapi/v2/data_requests${path}`, body, type)).status).toBe(413);
});

it('a million objects in a body of the add-on: refused with 413 before they are parsed', async () => {
  const { request } = createGateway(() => Response.json([]));
  const body = `{"family":"company_clean","by":"id","keys":[${'{},'.repeat(MB)}{}]}`;
  const response = await request('/sheets/v1/lookup', buildTeamRequest(body));
  expect(response.status).toBe(413);
  expect(await response.text()).toContain('more than 100,000 values');
});

it('a file with a million lines of ids: refused with 422 after as many as an order may have', async () => {
  const form = new FormData();
  form.append('ids_file', new File(['1\n'.repeat(MB)], 'ids.csv'));
  const { request } = createGateway(() => Response.json([]));
  const path = '/cdapi/v2/data_requests/employee_clean/id_file';
  const response = await request(path, { method: 'POST', body: form, headers: { apikey: env.TEAM_TOKEN } });
  expect(response.status).toBe(422);
  expect(await response.text()).toContain('at most 10000 items');
  expect(splitLines('\n'.repeat(MB) + '1\n'.repeat(MB))).toHaveLength(10_001);
});
