// Attacks on the price of bulk orders: bodies that the provider reads differently.
import { beforeAll, expect, it } from 'vitest';
import { addTeam, callDropIn, getSpending, importCompanies } from './bulk.ts';

beforeAll(() => importCompanies());

const query = '{"query":{"match_all":{}}}';
const post = (body: string): RequestInit => ({ method: 'POST', body });

it.each([
  ['[1]', 'company_base/filter', '"filters":{}'],
  ['{}', 'company_base/filter', '"filters":{}'],
  ['[]', 'company_clean/es_dsl', `"es_dsl_query":${query}`],
  ['{"limit":1}', 'company_clean/es_dsl', `"es_dsl_query":${query}`],
  ['true', 'company_clean/es_dsl', `"es_dsl_query":${query}`],
])('a limit of %s, to order everything of %s: refused with 422', async (limit, path, member) => {
  const before = await getSpending();
  const answer = await callDropIn(path, post(`{${member},"limit":${limit}}`));
  expect(answer.status).toBe(422);
  expect(await answer.json()).toEqual({
    detail: [{ loc: ['body', 'limit'], msg: 'value is not a valid integer', type: 'type_error.integer' }],
  });
  expect(await getSpending()).toEqual(before);
});

// The provider uses the last member. Only the first case fits into the budget of 20 credits.
it.each([
  ['a larger limit before the real one', '"filters":{},"limit":5,"limit":2', 201],
  ['a smaller limit before the real one', '"filters":{},"limit":2,"limit":5', 402],
  ['narrow filters before the real ones', '"filters":{"industry":"Even"},"filters":{},"limit":5', 402],
])('%s: priced by the last one, as the provider does', async (name, members, status) => {
  const token = await addTeam(name, 20);
  expect((await callDropIn('company_base/filter', post(`{${members}}`), token)).status).toBe(status);
});

it('a webhook address in a list: refused with 422', async () => {
  const answer = await callDropIn(
    'company_base/filter',
    post('{"filters":{},"webhook_url":["https://a.example"]}'),
  );
  expect(answer.status).toBe(422);
});
