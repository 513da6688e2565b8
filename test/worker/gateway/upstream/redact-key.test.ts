// quality.md: "survives the provider | […] echoes of the key in error bodies → […] no key in any answer"; design.md, rule 7: "No
// key, token or personal datum in logs, traces, errors". The running Worker, its provider echoing the key in every spelling.
import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test';
import { env, exports as worker } from 'cloudflare:workers';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { redactKey } from '../../../../worker/gateway/upstream/redact-key.ts';
import { addTeam, call } from '../../data-requests/bulk.ts';
import { control, put } from '../../sandbox/client.ts';

const KEY = env.SANDBOX_KEY;

const percentEncoded = (text: string): string =>
  [...text].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('');
const jsonEscaped = (text: string): string =>
  [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const urlSafe = (text: string): string =>
  btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

const spellings: readonly [string, string][] = [
  ['plain', KEY],
  ['in capitals', KEY.toUpperCase()],
  ['percent-encoded', percentEncoded(KEY)],
  ['escaped in JSON', jsonEscaped(KEY)],
  ['in part escaped', `${jsonEscaped(KEY.slice(0, 5))}${KEY.slice(5)}`],
  ['in base64', btoa(KEY)],
  ['in base64 behind one character', btoa(`:${KEY}`)],
  ['in base64 behind a name', btoa(`apikey: ${KEY}, more`)],
  ['in base64 of URLs', urlSafe(`{"apikey":"${KEY}"}`)],
];

/** A text with all that hides something in it undone. */
function* readings(text: string): Generator<string> {
  const plain = text
    .replaceAll(/\\+u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  yield plain.toLowerCase();
  for (const [token] of plain.matchAll(/[\w+/-]{16,}/g)) {
    const standard = token.replaceAll('-', '+').replaceAll('_', '/');
    for (let start = 0; start < 4; start += 1) {
      const part = standard.slice(start);
      yield atob(part.length % 4 === 1 ? part.slice(0, -1) : part).toLowerCase();
    }
  }
}

function holdsKey(text: string): boolean {
  for (const reading of readings(text)) if (reading.includes(KEY.toLowerCase())) return true;
  return false;
}

/** All that the Worker keeps: KV, the gateway's database, rows, and the storage of its objects. */
async function stored(): Promise<string> {
  const texts: string[] = [];
  for (const { name, metadata } of (await env.RECORDS.list()).keys) {
    texts.push(name, JSON.stringify(metadata), (await env.RECORDS.get(name)) ?? '');
  }
  const tablesOf =
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'";
  const { results } = await env.DB.prepare(tablesOf).all<{ name: string }>();
  for (const { name } of results) {
    texts.push(JSON.stringify((await env.DB.prepare(`SELECT * FROM "${name}"`).all()).results));
  }
  for (const { key } of (await env.ROWS.list()).objects)
    texts.push((await (await env.ROWS.get(key))?.text()) ?? '');
  const read = (_: unknown, { storage: { sql } }: DurableObjectState): void => {
    for (const { name } of sql.exec<{ name: string }>(tablesOf)) {
      texts.push(JSON.stringify(sql.exec(`SELECT * FROM "${name}"`).toArray()));
    }
  };
  const { SINGLE_FLIGHT, PROVIDER_THROTTLE, LEDGER } = env;
  for (const id of await listDurableObjectIds(SINGLE_FLIGHT))
    await runInDurableObject(SINGLE_FLIGHT.get(id), read);
  for (const id of await listDurableObjectIds(PROVIDER_THROTTLE))
    await runInDurableObject(PROVIDER_THROTTLE.get(id), read);
  for (const id of await listDurableObjectIds(LEDGER)) await runInDurableObject(LEDGER.get(id), read);
  return texts.join('\n');
}

/** Everything that an answer says. */
async function wordsOf(answer: Response): Promise<string> {
  return [...answer.headers]
    .flat()
    .concat(await answer.text())
    .join('\n');
}

const through = (path: string, init: RequestInit = {}): Promise<Response> =>
  worker.default.fetch(`http://127.0.0.1/cdapi/v2${path}`, { ...init, headers: { apikey: env.TEAM_TOKEN } });
const post = (body: unknown): RequestInit => ({ method: 'POST', body: JSON.stringify(body) });

function idsForm(): RequestInit {
  const body = new FormData();
  body.append('ids', '1');
  return { method: 'POST', body };
}

let questions = 0;

/** A question that nobody asked before. */
const website = (): string => `w${questions++}.example`;
const query = () => ({ query: { match: { name: website() } } });

const logged: string[] = [];

beforeAll(async () => {
  await control({ run_ms: 0, rate_per_s: 10_000 });
  await put('company_clean', [{ id: 1, name: 'One' }]);
  for (const name of ['log', 'warn', 'error'] as const) {
    vi.spyOn(console, name).mockImplementation((...words: unknown[]) => void logged.push(words.join(' ')));
  }
});
afterEach(() => control({ faults: [] }));

/** An echo in every spelling at once. */
const echo = spellings.map(([, spelt]) => spelt).join(' ');

/** What the provider answers in place of what it would. */
interface Fault {
  status: number;
  body: string;
  content_type?: string;
  headers?: Record<string, string>;
}

/** Where the gateway answers with a status of its own. */
const statuses: Readonly<Record<string, number>> = {
  'a search of the add-on': 422,
  'the id of a data request': 502,
};

describe('a key that the provider echoes', () => {
  const refusal = (status: number) => ({ status, body: `{"detail":"no access for ${echo}"}` });

  it.each([
    ['refused', { status: 422, body: `{"detail":"${echo}"}` }],
    ['unpaid', { status: 402, body: `{"detail":"${echo}"}` }],
    ['listed', { status: 200, body: `{"data_request_files":["${KEY}"]}` }],
  ])('in the %s files of a data request is in no answer', async (_name, fault) => {
    const token = await addTeam(`team-${questions++}`, 100);
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
    for (let turn = 0; turn < 3; turn += 1) expect(holdsKey(await wordsOf(await files()))).toBe(false);
    expect(holdsKey(await wordsOf(await call('/sheets/v1/requests', {}, token)))).toBe(false);
  });

  it.each<[string, Fault, () => Promise<Response>]>([
    ['a record that is not there', refusal(404), () => through(`/company_clean/enrich?website=${website()}`)],
    ['a key that is refused', refusal(422), () => through(`/company_clean/enrich?website=${website()}`)],
    ['a query', refusal(400), () => through('/company_clean/search/es_dsl', post(query()))],
    ['a preview', refusal(422), () => through('/company_clean/search/es_dsl/preview', post(query()))],
    [
      'a plain text',
      { status: 400, body: echo, content_type: 'text/plain' },
      () => through('/company_clean/search/es_dsl', post(query())),
    ],
    [
      'headers of a page',
      { status: 200, body: '[]', headers: { 'x-next-page-after': echo, 'x-correlation-id': KEY } },
      () => through('/company_clean/search/es_dsl', post(query())),
    ],
    [
      'a record',
      { status: 200, body: `{"id":7,"name":"${echo}"}` },
      () => through(`/company_clean/enrich?website=${website()}`),
    ],
    [
      'an item of a preview',
      { status: 200, body: `[{"id":7,"name":"${echo}"}]` },
      () => through('/company_clean/search/es_dsl/preview', post(query())),
    ],
    [
      'a search of the add-on',
      refusal(400),
      () => call('/sheets/v1/search', post({ family: 'company_clean', query: { text: website() } })),
    ],
    [
      'a data request that is refused',
      refusal(422),
      () => through('/data_requests/company_clean/ids', idsForm()),
    ],
    [
      'the id of a data request',
      { status: 201, body: `{"request_id":"${KEY}"}` },
      () => through('/data_requests/company_clean/ids', idsForm()),
    ],
    ['a bill that is not paid', refusal(402), () => through(`/company_clean/enrich?website=${website()}`)],
    // Calls are held back behind it for a while.
    ['a provider that breaks', refusal(500), () => through('/company_clean/search/es_dsl', post(query()))],
  ])('in %s is in no answer', async (name, fault, ask) => {
    await control({ faults: [fault] });
    const answer = await ask();
    // It is the provider's answer, not one of the gateway's own.
    expect(answer.status).toBe(statuses[name] ?? fault.status);
    expect(holdsKey(await wordsOf(answer))).toBe(false);
    // A second caller is told what is remembered of it.
    expect(holdsKey(await wordsOf(await ask()))).toBe(false);
  });
});

describe('after all of them', () => {
  it('the key is kept nowhere and in no line of the log', async () => {
    const all = await stored();
    expect(all).toContain('[redacted]');
    expect(holdsKey(all)).toBe(false);
    expect(holdsKey(logged.join('\n'))).toBe(false);
  });
});

describe('the key', () => {
  it.each(spellings)('is removed %s', (_, spelt) => {
    expect(holdsKey(spelt)).toBe(true);
    const text = redactKey(KEY, `{"detail":"no access for ${spelt}."}`);
    expect(holdsKey(text)).toBe(false);
    expect(JSON.parse(text)).toEqual({ detail: expect.stringContaining('[redacted]') });
  });
});

describe('what is no key', () => {
  it('stays as it is', () => {
    const word = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(word, (text) => {
        expect(redactKey(KEY, text)).toBe(text);
      }),
    );
  });

  it('is not looked for where a key is so short that it may be a word', () => {
    expect(redactKey('acme', '{"name":"Acme"}')).toBe('{"name":"Acme"}');
  });
});

describe('a key of any printable characters', () => {
  it('is removed in every spelling, with what stands around it', () => {
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
    );
  });
});
