// The provider's key never reaches a caller, a log or the storage, even if the provider echoes it.
import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test';
import { env, exports as worker } from 'cloudflare:workers';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import { redactKey } from '../../../../worker/gateway/upstream/redact-key.ts';
import { unicodeText } from '../../../unicode-text.ts';
import { addTeam, call } from '../../data-requests/bulk.ts';
import { control, put } from '../../sandbox/client.ts';

const KEY = env.SANDBOX_KEY;

const percentEncoded = (text: string): string =>
  [...text].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('');
const jsonEscaped = (text: string): string =>
  [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const urlSafe = (text: string): string =>
  btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

const hexBytes = (text: string): string[] => [...text].map((one) => one.charCodeAt(0).toString(16));

const spellings: readonly [string, string][] = [
  ['plain', KEY],
  ['in capitals', KEY.toUpperCase()],
  ['percent-encoded', percentEncoded(KEY)],
  ['escaped in JSON', jsonEscaped(KEY)],
  ['in part escaped', `${jsonEscaped(KEY.slice(0, 5))}${KEY.slice(5)}`],
  ['percent-encoded twice', percentEncoded(KEY).replaceAll('%', '%25')],
  ['in capitals and percent-encoded', percentEncoded(KEY.toUpperCase())],
  ['escaped in code', [...hexBytes(KEY)].map((hex) => `\\x${hex}`).join('')],
  ['in hexadecimal', hexBytes(KEY).join('')],
  ['in hexadecimal of capitals', hexBytes(KEY.toUpperCase()).join('').toUpperCase()],
  ['as a dump of bytes', hexBytes(KEY).join(' ')],
  [
    'as a list of bytes',
    hexBytes(KEY)
      .map((hex) => `0x${hex}`)
      .join(', '),
  ],
  ['as decimal HTML entities', [...KEY].map((one) => `&#${one.charCodeAt(0)};`).join('')],
  [
    'as hexadecimal HTML entities',
    hexBytes(KEY)
      .map((hex) => `&#x00${hex.toUpperCase()};`)
      .join(''),
  ],
  ['as escaped HTML entities', [...KEY].map((one) => `&amp;#${one.charCodeAt(0)};`).join('')],
  ['in base64', btoa(KEY)],
  ['in base64 behind one character', btoa(`:${KEY}`)],
  ['in base64 behind a name', btoa(`apikey: ${KEY}, more`)],
  ['in base64 of URLs', urlSafe(`{"apikey":"${KEY}"}`)],
];

/** Yields decodings of a text that may reveal the key. */
function* listDecodings(text: string): Generator<string> {
  const fromHex = (_: string, hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));
  const plain = text
    .replaceAll('%25', '%')
    .replaceAll('&amp;', '&')
    .replaceAll(/\\+(?:u00|x)([0-9a-f]{2})/gi, fromHex)
    .replaceAll(/&#x0*([0-9a-f]{2});/gi, fromHex)
    .replaceAll(/&#(\d{2,3});/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/%([0-9a-f]{2})/gi, fromHex);
  yield plain.toLowerCase();
  const bytes = text.replaceAll(/0x|[ ,]/gi, '');
  for (let start = 0; start < 2; start += 1)
    yield bytes
      .slice(start)
      .replaceAll(/([0-9a-f]{2})/gi, fromHex)
      .toLowerCase();
  for (const [token] of plain.matchAll(/[\w+/-]{16,}/g)) {
    const standard = token.replaceAll('-', '+').replaceAll('_', '/');
    for (let start = 0; start < 4; start += 1) {
      const part = standard.slice(start);
      yield atob(part.length % 4 === 1 ? part.slice(0, -1) : part).toLowerCase();
    }
  }
}

function containsKey(text: string): boolean {
  for (const decoded of listDecodings(text)) if (decoded.includes(KEY.toLowerCase())) return true;
  return false;
}

/** Objects of earlier files, which the platform lists although they are empty. */
const earlierIds = new Set<string>();

async function listNewIds(namespace: DurableObjectNamespace): Promise<DurableObjectId[]> {
  return (await listDurableObjectIds(namespace)).filter((id) => !earlierIds.has(String(id)));
}

/** Reads everything that the Worker stores, by place. */
async function readStorage(): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const { name, metadata } of (await env.RECORDS.list()).keys) {
    texts.set(
      `KV ${texts.size} ${name.replace(/:.*/, '')}`,
      [name, JSON.stringify(metadata), await env.RECORDS.get(name)].join(),
    );
  }
  const LIST_TABLES =
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'";
  const { results } = await env.DB.prepare(LIST_TABLES).all<{ name: string }>();
  for (const { name } of results) {
    texts.set(`D1 ${name}`, JSON.stringify((await env.DB.prepare(`SELECT * FROM "${name}"`).all()).results));
  }
  for (const { key } of (await env.ROWS.list()).objects)
    texts.set(`R2 ${key}`, (await (await env.ROWS.get(key))?.text()) ?? '');
  const read =
    (place: string) =>
    (_: unknown, { storage: { sql } }: DurableObjectState): void => {
      for (const { name } of sql.exec<{ name: string }>(LIST_TABLES)) {
        texts.set(`${place} ${name}`, JSON.stringify(sql.exec(`SELECT * FROM "${name}"`).toArray()));
      }
    };
  const { SINGLE_FLIGHT, PROVIDER_THROTTLE } = env;
  for (const id of await listNewIds(SINGLE_FLIGHT))
    await runInDurableObject(SINGLE_FLIGHT.get(id), read(`single flight ${id}`));
  for (const id of await listNewIds(PROVIDER_THROTTLE))
    await runInDurableObject(PROVIDER_THROTTLE.get(id), read(`throttle ${id}`));
  // By name: a new ledger needs its team's.
  const teams = await env.DB.prepare('SELECT id FROM teams').all<{ id: string }>();
  for (const { id } of teams.results) await runInDurableObject(getLedger(env, id), read(`ledger ${id}`));
  return texts;
}

/** Reads the headers and body of a response. */
async function readAnswer(answer: Response): Promise<string> {
  return [...answer.headers]
    .flat()
    .concat(await answer.text())
    .join('\n');
}

const callDropIn = (path: string, init: RequestInit = {}): Promise<Response> =>
  worker.default.fetch(`http://127.0.0.1/cdapi/v2${path}`, { ...init, headers: { apikey: env.TEAM_TOKEN } });
const post = (body: unknown): RequestInit => ({ method: 'POST', body: JSON.stringify(body) });

function idsForm(): RequestInit {
  const body = new FormData();
  body.append('ids', '1');
  return { method: 'POST', body };
}

let counter = 0;

/** Returns a website that was not looked up before. */
const website = (): string => `w${counter++}.example`;
const query = () => ({ query: { match: { name: website() } } });

const logged: string[] = [];

beforeAll(async () => {
  for (const id of await listNewIds(env.SINGLE_FLIGHT)) earlierIds.add(String(id));
  for (const id of await listNewIds(env.PROVIDER_THROTTLE)) earlierIds.add(String(id));
  await control({ run_ms: 0, rate_per_s: 10_000 });
  await put('company_clean', [{ id: 1, name: 'One' }]);
  for (const name of ['log', 'warn', 'error'] as const) {
    vi.spyOn(console, name).mockImplementation((...words: unknown[]) => void logged.push(words.join(' ')));
  }
});
afterEach(() => control({ faults: [] }));

/** All spellings of the key in one text. */
const echo = spellings.map(([, spelt]) => spelt).join(' ');

/** A simulated response of the provider. */
interface Fault {
  status: number;
  body: string;
  content_type?: string;
  headers?: Record<string, string>;
}

/** Statuses that differ from the provider's. */
const gatewayStatuses: Readonly<Record<string, number>> = {
  'a search of the add-on': 422,
  'the id of a data request': 502,
};

describe('an echoed key', () => {
  const refusal = (status: number) => ({ status, body: `{"detail":"no access for ${echo}"}` });

  it.each([
    ['refused', { status: 422, body: `{"detail":"${echo}"}` }],
    ['unpaid', { status: 402, body: `{"detail":"${echo}"}` }],
    ['listed', { status: 200, body: `{"data_request_files":["${KEY}"]}` }],
  ])('is not in the answer for %s files of a data request', async (_name, fault) => {
    const token = await addTeam(`team-${counter++}`, 100);
    const made = await worker.default.fetch('http://127.0.0.1/cdapi/v2/data_requests/company_clean/ids', {
      ...idsForm(),
      headers: { apikey: token },
    });
    await control({ faults: [{ operation: 'files', ...fault }] });
    const { request_id: id } = await made.json<{ request_id: string }>();
    const files = () =>
      worker.default.fetch(`http://127.0.0.1/cdapi/v2/data_requests/${id}/files`, {
        headers: { apikey: token },
      });
    for (let turn = 0; turn < 3; turn += 1) expect(containsKey(await readAnswer(await files()))).toBe(false);
    expect(containsKey(await readAnswer(await call('/sheets/v1/requests', {}, token)))).toBe(false);
  });

  const lookUp = () => callDropIn(`/company_clean/enrich?website=${website()}`);
  const search = () => callDropIn('/company_clean/search/es_dsl', post(query()));
  const preview = () => callDropIn('/company_clean/search/es_dsl/preview', post(query()));
  const order = () => callDropIn('/data_requests/company_clean/ids', idsForm());
  const searchInSheet = () =>
    call('/sheets/v1/search', post({ family: 'company_clean', query: { text: website() } }));
  const pageHeaders = { 'x-next-page-after': echo.slice(-2000), 'x-correlation-id': KEY };

  /** The operation that each call uses. Other calls, such as downloads of the orders above, are answered as usual. */
  const operationOf = new Map([
    [lookUp, 'enrich'],
    [search, 'search'],
    [preview, 'preview'],
    [order, 'bulk'],
    [searchInSheet, 'search'],
  ]);

  it.each<[string, Fault, () => Promise<Response>]>([
    ['a missing record', refusal(404), lookUp],
    ['a refused lookup key', refusal(422), lookUp],
    ['a query', refusal(400), search],
    ['a preview', refusal(422), preview],
    ['plain text', { status: 400, body: echo, content_type: 'text/plain' }, search],
    ['headers of a page', { status: 200, body: '[]', headers: pageHeaders }, search],
    ['a record', { status: 200, body: `{"id":7,"name":"${echo}"}` }, lookUp],
    ['an item of a preview', { status: 200, body: `[{"id":7,"name":"${echo}"}]` }, preview],
    ['a search of the add-on', refusal(400), searchInSheet],
    ['a refused data request', refusal(422), order],
    ['the id of a data request', { status: 201, body: `{"request_id":"${KEY}"}` }, order],
    // Last, because the throttle delays the calls after it.
    ['an unpaid call', refusal(402), lookUp],
    ['a failing provider', refusal(500), search],
  ])('is not in the answer for %s', async (name, fault, ask) => {
    await control({ faults: [{ operation: operationOf.get(ask), ...fault }] });
    const answer = await ask();
    // The response comes from the provider.
    expect(answer.status).toBe(gatewayStatuses[name] ?? fault.status);
    expect(containsKey(await readAnswer(answer))).toBe(false);
    // The second response may come from the cache.
    expect(containsKey(await readAnswer(await ask()))).toBe(false);
  });
});

describe('storage and log', () => {
  it('never contain the key', async () => {
    expect(await listNewIds(env.SINGLE_FLIGHT)).not.toEqual([]);
    expect(await listNewIds(env.PROVIDER_THROTTLE)).not.toEqual([]);
    const all = await readStorage();
    expect([...all.values()].join()).toContain('[redacted]');
    expect([...all].flatMap(([place, text]) => (containsKey(text) ? place : []))).toEqual([]);
    expect(containsKey(logged.join('\n'))).toBe(false);
  });
});

describe('redactKey with random keys', () => {
  it('changes nothing without the key, or for a key that is too short', () => {
    fc.assert(
      fc.property(unicodeText(), (text) => {
        expect(redactKey(KEY, text)).toBe(text);
      }),
      { numRuns: 40 },
    );
    expect(redactKey('acme', '{"name":"Acme"}')).toBe('{"name":"Acme"}');
  });

  it('removes every spelling, and only the key', () => {
    const key = fc.string({ unit: fc.constantFrom(...'aZ09+/=-_.$*()[]{}|?^'), minLength: 8, maxLength: 64 });
    const padding = fc.string({ unit: 'grapheme-ascii', maxLength: 5 });
    fc.assert(
      fc.property(key, padding, padding, (secret, before, after) => {
        for (const spelt of [
          secret,
          percentEncoded(secret),
          jsonEscaped(secret),
          encodeURIComponent(secret),
        ]) {
          expect(redactKey(secret, `<${spelt}>`)).toBe('<[redacted]>');
        }
        const encoded = redactKey(secret, btoa(before + secret + after));
        expect(encoded).toContain('[redacted]');
      }),
      { numRuns: 40 },
    );
  });
});
