// Attacks by bodies in other encodings: repaired with replacement characters, they were sent and paid for. Each body goes to the
// sandbox and to the drop-in API.
import { env, exports as worker } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { getSpending } from '../../data-requests/bulk.ts';
import { createGateway } from '../../harness.ts';
import { call as callSandbox, control, put } from '../../sandbox/client.ts';
import { type Encoding, encodings } from './encodings.ts';

const NAME = 'Zürich Räder';

beforeAll(async () => {
  await control({ rate_per_s: 9999 });
  await put('company_base', [
    { id: 1, name: NAME, company_shorthand_name: 'zürich-räder' },
    { id: 2, name: 'Z�rich R�der', company_shorthand_name: 'z�rich-r�der' },
  ]);
  await put('company_clean', [{ id: 1, name: NAME }]);
});

const filter = JSON.stringify({ name: `"${NAME}"` });
const dsl = JSON.stringify({ query: { match_phrase: { name: NAME } } });
const TYPES_OF_JSON = ['application/json', 'text/plain', undefined];

/** Fields of a form that is refused for its second value, so that no data request begins. */
const BOUNDARY = 'boundary';
const multipart = (field: string, values: readonly string[], disposition = ''): string =>
  [
    ...values.map(
      (value) => `\r\ncontent-disposition: form-data; name="${field}"${disposition}\r\n\r\n${value}\r\n`,
    ),
    '--',
  ]
    .map((part) => `--${BOUNDARY}${part}`)
    .join('');
const urlEncoded = (field: string, values: readonly string[]): string =>
  values.map((value) => `${field}=${value}`).join('&');

const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;
const URL_ENCODED = 'application/x-www-form-urlencoded';
const twice = ['zürich', 'zürich'];
const urls = ['https://www.professional-network.example/company/zürich', 'ü'];

/** Paths, bodies and the status of a body that is understood. */
const endpoints: [path: string, body: string, types: readonly (string | undefined)[], status: number][] = [
  ['company_base/search/filter', filter, TYPES_OF_JSON, 200],
  ['company_base/search/filter/preview', filter, TYPES_OF_JSON, 200],
  ['company_clean/search/es_dsl', dsl, TYPES_OF_JSON, 200],
  ['company_clean/search/es_dsl/preview', dsl, TYPES_OF_JSON, 200],
  ['data_requests/company_base/filter', '{"filter":"zürich"}', TYPES_OF_JSON, 422],
  ['data_requests/company_clean/es_dsl', '{"es_dsl":"zürich"}', TYPES_OF_JSON, 422],
  ['data_requests/company_clean/ids', multipart('ids', ['1', 'ü']), [MULTIPART], 422],
  ['data_requests/company_clean/ids', urlEncoded('ids', ['1', 'ü']), [URL_ENCODED], 422],
  [
    'data_requests/company_base/id_file',
    multipart('ids_file', ['1\nü'], '; filename="i.csv"'),
    [MULTIPART],
    422,
  ],
  ['data_requests/company_clean/shorthand_names', multipart('shorthand_names', twice), [MULTIPART], 422],
  ['data_requests/company_clean/shorthand_names', urlEncoded('shorthand_names', twice), [URL_ENCODED], 422],
  ['data_requests/company_clean/urls', multipart('urls', urls), [MULTIPART], 422],
  ['data_requests/company_clean/urls', urlEncoded('urls', urls), [URL_ENCODED], 422],
];

const cases = endpoints.flatMap(([path, body, types, status]) =>
  types.map((type) => ({ path, body, type, status, title: `${path} as ${type ?? 'no type'}` })),
);
type Case = (typeof cases)[number];

function buildRequest({ body, type }: Case, { encode, charset }: Encoding): RequestInit {
  const contentType = charset === undefined ? type : `${type}; charset=${charset}`;
  const headers = contentType === undefined ? {} : { 'content-type': contentType };
  return { method: 'POST', headers, body: encode(body) };
}

/** Without a type there is no charset. */
const listEncodings = ({ type }: Case): readonly Encoding[] =>
  encodings.filter(({ charset }) => type !== undefined || charset === undefined);

async function readAnswer(response: Response): Promise<{ status: number; body: string }> {
  return { status: response.status, body: await response.text() };
}

const callGateway = (path: string, { headers, ...init }: RequestInit): Promise<Response> =>
  worker.default.fetch(`http://127.0.0.1/cdapi/v2/${path}`, {
    ...init,
    headers: { apikey: env.TEAM_TOKEN, ...headers },
  });

async function readBalance(): Promise<unknown> {
  return (await (await callSandbox('/control')).json<{ balance: number }>()).balance;
}

it.each(cases.map((example) => [example.title, example] as const))(
  '%s in every encoding: the gateway answers as the provider, and a refused body costs nothing',
  async (_, example) => {
    for (const encoding of listEncodings(example)) {
      const request = buildRequest(example, encoding);
      const expected = await readAnswer(await callSandbox(`/cdapi/v2/${example.path}`, request));
      const before = [await readBalance(), await getSpending()];
      const response = await callGateway(example.path, request);
      const credits = response.headers.get('x-credits-charged');
      expect({ encoding, ...(await readAnswer(response)) }).toEqual({ encoding, ...expected });
      expect([encoding.name, expected.status]).toEqual([
        encoding.name,
        encoding.isValid ? example.status : 422,
      ]);
      if (expected.status === 200) {
        const [first] = JSON.parse(expected.body);
        expect([encoding.name, first.id ?? first]).toEqual([encoding.name, 1]);
      } else {
        expect([encoding.name, credits ?? '0']).toEqual([encoding.name, '0']);
        expect([await readBalance(), await getSpending()]).toEqual(before);
      }
    }
  },
);

it.each(['gzip', 'br', 'deflate', 'zstd', 'gzip, identity', 'nonsense'])(
  'bodies with Content-Encoding %s: refused with 415 as by the sandbox, and nothing is sent',
  async (contentEncoding) => {
    const { request, requestedKeys } = createGateway(() => Response.json([]));
    for (const { path, body, type = 'text/plain' } of cases) {
      const headers = { 'content-type': type, 'content-encoding': contentEncoding };
      const stream = new Blob([body]).stream();
      const compressed =
        contentEncoding === 'gzip' ? stream.pipeThrough(new CompressionStream('gzip')) : stream;
      const init = { method: 'POST', headers, body: await new Response(compressed).arrayBuffer() };
      const expected = await readAnswer(await callSandbox(`/cdapi/v2/${path}`, init));
      expect(expected).toEqual({ status: 415, body: expect.stringContaining('without Content-Encoding') });
      const response = await request(`/cdapi/v2/${path}`, {
        ...init,
        headers: { ...headers, apikey: env.TEAM_TOKEN },
      });
      expect(response.headers.get('x-problem')).toBe('unsupported_encoding');
      expect(await readAnswer(response)).toEqual(expected);
    }
    expect(requestedKeys).toEqual([]);
  },
);

it.each(encodings.filter(({ name }) => /^UTF-16[BL]E$/.test(name)))(
  'ASCII in $name: refused at its first zero byte as by the sandbox, and nothing is sent',
  async ({ encode }) => {
    const { request, requestedKeys } = createGateway(() => Response.json([]));
    const init = { method: 'POST', body: encode('{"name":"acme"}') };
    const path = 'company_base/search/filter/preview';
    const expected = await readAnswer(await callSandbox(`/cdapi/v2/${path}`, init));
    expect(expected).toEqual({ status: 422, body: expect.stringContaining('zero byte') });
    const response = await request(`/cdapi/v2/${path}`, { ...init, headers: { apikey: env.TEAM_TOKEN } });
    expect(await readAnswer(response)).toEqual(expected);
    expect(requestedKeys).toEqual([]);
  },
);

it('Content-Encoding identity is no compression: the body is read', async () => {
  const init = { method: 'POST', headers: { 'content-encoding': 'identity' }, body: dsl };
  expect(await readAnswer(await callGateway('company_clean/search/es_dsl', init))).toEqual({
    status: 200,
    body: '[1]',
  });
});
