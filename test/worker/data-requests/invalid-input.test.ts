// Whatever is sent: a clear refusal or a right answer, never a 500, and no credit held for what can't be.
import { env, exports as worker } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { newDataRequest } from '../../../shared/api/data-requests.ts';
import { familyNames } from '../../../shared/families/index.ts';
import type { ListKind } from '../../../worker/data-requests/order/list-kinds.ts';
import { parseKeys, splitLines } from '../../../worker/data-requests/order/parse-keys.ts';
import { isFileName } from '../../../worker/data-requests/provider-client.ts';
import { call, getSpending, importCompanies, postRequest } from './bulk.ts';

beforeAll(() => importCompanies(1));

const requestKinds = newDataRequest.options.map(({ shape }) => shape.kind.value);

const listKinds = fc.constantFrom<ListKind>('ids', 'id_file', 'shorthand_names', 'urls');
const family = fc.constantFrom(...familyNames);
const keyLike = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.bigInt().map(String),
  fc.webUrl(),
  fc.domain().map((domain) => `https://${domain}/company/acme`),
);

describe('keys', () => {
  it('are read into distinct ones that the service takes, or every complaint names its place', () =>
    fc.assert(
      fc.property(
        listKinds,
        family,
        fc.array(keyLike, { minLength: 1, maxLength: 40 }),
        (kind, own, texts) => {
          const read = parseKeys(kind, own, texts);
          if ('keys' in read) {
            expect(new Set(read.keys).size).toBe(read.keys.length);
            expect(read.keys.length).toBeGreaterThan(0);
            if (kind === 'ids' || kind === 'id_file')
              for (const key of read.keys) expect(key).toMatch(/^[1-9]\d*$/);
            // What was read once reads the same again.
            expect(parseKeys(kind, own, read.keys)).toEqual(read);
            return;
          }
          if (!('issues' in read)) throw new Error('neither keys nor complaints');
          for (const { index, msg } of read.issues) {
            expect(index).toBeLessThan(texts.length);
            expect(msg).not.toBe('');
          }
        },
      ),
    ));

  it('of a file are its lines that hold something, whatever ends them', () =>
    fc.assert(
      fc.property(
        fc.array(fc.nat().map(String), { minLength: 1 }),
        fc.constantFrom('\n', '\r\n', '\r', '\n\n', '\r\n \r\n'),
        (ids, end) => {
          expect(splitLines(ids.join(end)).map(({ text }) => text)).toEqual(ids);
        },
      ),
    ));

  it('that are names of files lead nowhere else', () =>
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.webPath(), fc.constantFrom('..', '.', 'a/../b', '%2e', 'a\0')),
        (name) => {
          if (!isFileName(name)) return;
          expect(new URL(`http://provider/files/${name}`).pathname).toBe(`/files/${name}`);
        },
      ),
    ));
});

const wild = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.record(
    {
      family: fc.oneof(family, fc.string()),
      kind: fc.oneof(fc.constantFrom(...requestKinds), fc.string()),
      keys: fc.oneof(fc.array(keyLike, { maxLength: 5 }), fc.jsonValue()),
      filters: fc.jsonValue(),
      es_dsl: fc.jsonValue(),
      limit: fc.oneof(fc.integer(), fc.double(), fc.string()),
      columns: fc.jsonValue(),
    },
    { requiredKeys: ['family', 'kind'] },
  ),
);

describe('a body', () => {
  it(
    'of anything is refused in words, or makes a request that holds what it costs',
    () =>
      fc.assert(
        fc.asyncProperty(wild, async (body) => {
          const answer = await postRequest(body);
          expect([201, 402, 422]).toContain(answer.status);
          const said = await answer.json<Record<string, unknown>>();
          if (answer.status !== 201)
            expect(said).toMatchObject({ code: expect.any(String), fix: expect.any(String) });
        }),
        { numRuns: 60 },
      ),
    60_000,
  );

  it(
    'of anything is refused by the drop-in surface in one of the service’s shapes',
    () =>
      fc.assert(
        fc.asyncProperty(
          fc.constantFrom(
            'company_base/filter',
            'company_clean/es_dsl',
            'company_clean/ids',
            'employee_clean/urls',
          ),
          fc.oneof(
            fc.string(),
            fc.jsonValue().map((value) => JSON.stringify(value)),
            fc
              .record({
                filters: fc.string(),
                es_dsl_query: fc.jsonValue(),
                limit: fc.jsonValue(),
                webhook_url: fc.jsonValue(),
              })
              .map((value) => JSON.stringify(value)),
          ),
          async (path, body) => {
            const answer = await worker.default.fetch(`http://127.0.0.1/cdapi/v2/data_requests/${path}`, {
              method: 'POST',
              body,
              headers: { apikey: env.TEAM_TOKEN, 'content-type': 'application/json' },
            });
            expect([400, 422]).toContain(answer.status);
            expect(await answer.json()).toEqual(
              expect.toSatisfy(
                (said: object) => 'detail' in said || 'Error' in said,
                'a shape of the service',
              ),
            );
          },
        ),
        { numRuns: 60 },
      ),
    60_000,
  );
});

it('addresses of anything are 404 or 422, and hold nothing', async () => {
  const before = await getSpending();
  await fc.assert(
    fc.asyncProperty(
      fc.string({ minLength: 1 }),
      fc.constantFrom('', '/rows', '/events'),
      async (id, rest) => {
        const answer = await call(`/sheets/v1/requests/${encodeURIComponent(id)}${rest}`);
        expect([404, 422]).toContain(answer.status);
      },
    ),
    { numRuns: 40 },
  );
  expect(await getSpending()).toEqual(before);
});
