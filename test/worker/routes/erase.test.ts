// Erased by the admin: gone at once from the isolate that did it, and refused by every surface from then on.
import { env, exports as worker } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { put } from '../provider/call.ts';

const through = (key: string) =>
  worker.default.fetch(`http://127.0.0.1/cdapi/v2/company_clean/${key}`, {
    headers: { apikey: env.TEAM_TOKEN },
  });

const admin = (method: string, path: string) =>
  worker.default.fetch(`http://127.0.0.1/admin/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${env.ADMIN_TOKEN}` },
  });

it('a record that was just read is refused at once, by every key, and leaves a proof', async () => {
  await put('company_clean', [{ id: 815, name: 'Acme', websites_main: 'erased.example' }]);
  expect((await through('enrich?website=erased.example')).status).toBe(200);
  expect((await through('enrich?website=erased.example')).headers.get('x-cache')).toBe('hit');
  const erased = await admin('DELETE', 'records/company_clean/erased.example');
  expect(erased.status).toBe(200);
  expect(await erased.json()).toMatchObject({
    id: expect.any(String),
    gone_everywhere_by: expect.any(String),
  });
  for (const key of ['enrich?website=erased.example', 'collect/815']) {
    const response = await through(key);
    expect(response.status).toBe(410);
    expect(response.headers.get('x-credits-charged')).toBe('0');
  }
  const known = await admin('GET', 'records/company_clean/erased.example');
  expect(await known.json()).toMatchObject({ remembered: null, erased: true });
});
