// Generated requests, valid and invalid, get the same answer from the provider and from the drop-in API: status, body and headers.
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { Family } from '../../../../shared/families/index.ts';
import {
  type BulkOperation,
  isRecordOperation,
  type Operation,
  operations,
  type QueryOperation,
  type RecordOperation,
} from '../../../../shared/operations.ts';
import { endRuns } from '../../data-requests/bulk.ts';
import {
  type Answer,
  callGateway,
  callProvider,
  importSamples,
  type KeyedRequest,
  post,
} from './same-answers.ts';

interface GeneratedRequest {
  path: string;
  init: KeyedRequest;
}

const oneOf = fc.constantFrom;
const KNOWN_ID = '{id}';
const JSON_TYPES = [null, true, 5, -1, 1.5, '', ' ', 'text', [], [1], {}, { a: 1 }] as const;
/** Bodies of every style that are empty, not JSON or of a wrong type. */
const BROKEN = [
  '',
  ' \n',
  'null',
  '[]',
  '"text"',
  '7',
  '{',
  '{"a":1,}',
  '{"a" 1}',
  "{'a':1}",
  '[1',
  '\u00a0{}',
];
const FILTERS = [
  '{}',
  '{"name":"a"}',
  '{"name":""}',
  '{"name":[]}',
  '{"nmae":"x","contry":"y"}',
  '{"name":"a","name":"b"}',
  '{"name":"(a"}',
  '{"deleted":"maybe"}',
  '{"created_at_gte":"2024-02-30 00:00:00"}',
  `{"name":"${'x'.repeat(15_001)}"}`,
  `{"name":${'['.repeat(50)}${']'.repeat(50)}}`,
  `{${' '.repeat(20_000)}"nmae":1}`,
];
const DSL = [
  '{}',
  '{"query":{"match_all":{}}}',
  '{"query":{"match":{"name":"a"}},"sort":["id"]}',
  '{"query":{"nothing":{}}}',
  '{"query":{"match_all":{}},"size":5}',
  '{"query":{"match_all":{}},"sort":"nothing"}',
  '{"query":{"match_none":{}},"query":{"match_all":{}}}',
  `{"query":{"query_string":{"query":"${'x'.repeat(15_001)}"}}}`,
  `{"query":${' '.repeat(20_000)}{"match_all":{}}}`,
  `{"query":${'{"bool":{"must":'.repeat(40)}{"match_all":{}}${'}}'.repeat(40)}}`,
  '{"query":{"term":{"id":9223372036854775807}}}',
];
const WEBHOOKS = [
  ...JSON_TYPES,
  ...[
    'http://127.0.0.1:9/hook',
    'http://a.example/',
    'https://10.0.0.1/',
    'https://u:p@a.example/',
    'no url',
  ],
];
const PARAMETERS = {
  items_per_page: ['0', '1', '7', '1000', '1001', '-1', '1.5', 'x', ''],
  page: ['0', '1', '2', '50', '51', 'x', ''],
  after: ['', 'x', '1', '"2025-03-17 03:58:15",33468751'],
  sort: ['id', 'nothing', '_score'],
  snapshot: ['true', 'false', 'maybe'],
  snapshot_token: ['', 'forged'],
  debug: ['1'],
};

const parameters = fc
  .uniqueArray(
    oneOf(...Object.entries(PARAMETERS)).chain(([name, values]) =>
      oneOf(...values).map((value): [string, string] => [name, value]),
    ),
    { maxLength: 2, selector: ([name]) => name },
  )
  .map((pairs) => (pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`));

function recordRequests({ path, method, keyParameter }: RecordOperation): fc.Arbitrary<GeneratedRequest> {
  const keys =
    keyParameter === undefined
      ? oneOf(KNOWN_ID, '0', '-5', '99999999999999999999', 'nobody-at-all', 'a%2Fb', '%00', '%ff', 'ü', '%20')
      : oneOf('nobody.example', 'https://nobody.example/a?b', 'no website', '', '%ff', 'linktr.ee/a');
  const fields = oneOf('', 'fields=name&fields=absent', 'fields=');
  return fc.tuple(keys, fields).map(([key, chosen]) => ({
    path:
      keyParameter === undefined
        ? `${path.replace('{key}', key)}${chosen && `?${chosen}`}`
        : `${path}?${keyParameter}=${key}${chosen && `&${chosen}`}`,
    init: { method },
  }));
}

const queriesOf = (style: 'filter' | 'es_dsl') => oneOf(...(style === 'filter' ? FILTERS : DSL));

function queryRequests({ path, style }: QueryOperation): fc.Arbitrary<GeneratedRequest> {
  const bodies = fc.oneof({ weight: 3, arbitrary: queriesOf(style) }, oneOf(...BROKEN));
  return fc.tuple(parameters, bodies).map(([query, body]) => ({ path: path + query, init: post(body) }));
}

const member = (name: string, values: fc.Arbitrary<string>): fc.Arbitrary<string[]> =>
  fc
    .option(values, { nil: undefined, freq: 2 })
    .map((value) => (value === undefined ? [] : [`"${name}":${value}`]));
const jsonOf = (values: readonly unknown[]): fc.Arbitrary<string> =>
  oneOf(...values.map((value) => JSON.stringify(value)));

function jsonOrders(path: string, style: 'filter' | 'es_dsl'): fc.Arbitrary<GeneratedRequest> {
  const name = style === 'filter' ? 'filters' : 'es_dsl_query';
  const query = fc.oneof({ weight: 3, arbitrary: queriesOf(style) }, jsonOf(JSON_TYPES));
  const members = fc.tuple(
    query.map((value) => [`"${name}":${value}`]),
    fc.oneof(fc.constant([]), member(name, query)),
    member('limit', jsonOf([...JSON_TYPES, 0, 3, '4', 20_000])),
    member('webhook_url', jsonOf(WEBHOOKS)),
    member('data_format', oneOf('"json"')),
  );
  const bodies = fc.oneof(
    { weight: 4, arbitrary: members.map((parts) => `{${parts.flat().join(',')}}`) },
    oneOf(...BROKEN),
  );
  return bodies.map((body) => ({ path, init: post(body) }));
}

const KEYS: Readonly<Record<Exclude<BulkOperation['kind'], 'filter' | 'es_dsl'>, readonly string[]>> = {
  ids: ['1', '2', '0', '-3', 'x', '', '99999999999999999999', ' 5 '],
  id_file: ['1\n2\n', 'id\n1\n', '', '\n\n', '1\r\n0\r\nx', '1;2'],
  shorthand_names: ['nobody', 'nobody', 'no body', '', 'NOBODY'],
  urls: ['https://a.example/company/x', 'https://a.example/in/x', 'https://a.example/', 'x', ''],
};

function formOrders(path: string, kind: keyof typeof KEYS): fc.Arbitrary<GeneratedRequest> {
  const field = kind === 'id_file' ? 'ids_file' : kind;
  const names = oneOf(field, field, field, `${field}[]`, 'other');
  const fields = fc.array(fc.tuple(names, oneOf(...KEYS[kind]), fc.boolean()), { maxLength: 4 });
  const webhooks = fc.array(oneOf('', 'http://127.0.0.1:9/hook', 'https://10.0.0.1/', 'x'), { maxLength: 2 });
  return fc.tuple(fields, webhooks).map(([pairs, addresses]) => {
    const body = new FormData();
    for (const [name, text, isFile] of pairs) {
      if (isFile === (kind === 'id_file')) body.append(name, isFile ? new File([text], 'ids.csv') : text);
      else body.append('other', text);
    }
    for (const address of addresses) body.append('webhook_url', address);
    return { path, init: { method: 'POST', body } };
  });
}

function requestsOf(operation: Operation): fc.Arbitrary<GeneratedRequest> {
  if (isRecordOperation(operation)) return recordRequests(operation);
  if (operation.name !== 'bulk') return queryRequests(operation);
  const { kind, path } = operation;
  return kind === 'filter' || kind === 'es_dsl' ? jsonOrders(path, kind) : formOrders(path, kind);
}

/** Every operation, sometimes with another method or key. */
const generated = oneOf(...operations)
  .chain((operation) => fc.tuple(fc.constant(operation), requestsOf(operation)))
  .chain(([operation, { path, init }]) =>
    fc
      .tuple(
        oneOf(...Array<undefined>(12).fill(undefined), 'PUT'),
        oneOf(...Array(12).fill({}), { apikey: undefined }, { apikey: '' }, { apikey: 'x' }),
      )
      .map(([method, headers]) => ({
        family: operation.family,
        isOrder: operation.name === 'bulk',
        path,
        init: { ...init, ...(method && { method }), headers: { ...init.headers, ...headers } },
      })),
  );

let ids: ReadonlyMap<Family, string>;
beforeAll(async () => {
  ids = await importSamples();
});

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** Replaces ids, which are new in each answer. */
const normalize = ({ headers: { 'x-snapshot-token': token, ...headers }, ...answer }: Answer): object =>
  JSON.parse(
    JSON.stringify({ ...answer, headers, hasToken: token !== undefined }).replaceAll(UUID, '{uuid}'),
  );

const requests = fc.sample(generated, { seed: 20_261_127, numRuns: 500 });

it(`${requests.length} generated requests have the same answers`, { timeout: 300_000 }, async () => {
  const [expected, actual]: [unknown[], unknown[]] = [[], []];
  for (const { family, isOrder, path: template, init } of requests) {
    const path = template.replace(KNOWN_ID, ids.get(family) ?? '');
    const request = { path, method: init.method, body: String(init.body).slice(0, 300) };
    for (const [call, answers] of [
      [callProvider, expected],
      [callGateway, actual],
    ] as const) {
      const answer = await call(path, init);
      answers.push({ request, ...normalize(answer) });
      // The provider refuses the same order while it is running.
      if (isOrder && answer.status === 201) await endRuns();
    }
  }
  expect(actual).toEqual(expected);
});
