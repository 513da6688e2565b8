// Subject access reports and previews list the stored data of a person; the audit log does not name the person.
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import type { ErasurePreview, SubjectReport } from '../../../shared/api/admin-erasures.ts';
import { encryptStored } from '../../../worker/http/secrets.ts';
import { createGateway } from '../harness.ts';
import { Browser } from '../routes/console/browser.ts';

const person = { family: 'employee_clean', key: 'reported-jane-1' };
const record = { id: 771_001, full_name: 'Jane Reported', shorthand_names: [person.key] };
const gateway = createGateway(() => Response.json(record));

async function call<T>(path: string, body: unknown): Promise<T> {
  const headers = { authorization: `Bearer ${env.ADMIN_TOKEN}` };
  const response = await gateway.request(`/admin/v1${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return response.json();
}

it('a report lists cached records, texts, accounts and erasures', async () => {
  await gateway.lookup({ family: 'employee_clean', by: 'shorthand_name', keys: [person.key] });
  await env.DB.prepare(
    `INSERT INTO searches (id, team_id, name, folded_name, family, query, created_at, updated_at)
      VALUES ('report', 'team', 'a', 'a', 'employee_clean', '{"shorthand_name":"${person.key}"}', 0, 0)`,
  ).run();
  const email = await encryptStored(env, 'Jane@acme.example', 'people.email jane');
  await env.DB.prepare("INSERT INTO people VALUES ('jane', 'acme.example', ?, 'token', 0, 0, NULL, 0)")
    .bind(email)
    .run();

  const preview = await call<ErasurePreview>('/erasure-preview', person);
  expect(preview).toMatchObject({ name: 'Jane Reported', texts: { saved_searches: 1, tables: 0 } });
  expect(preview.records).toEqual([{ family: 'employee_clean', cached: preview.cached, rows: 0 }]);

  const report = await call<SubjectReport>('/subject-report', { ...person, email: 'jane@acme.example' });
  expect(report.keys).toContainEqual({ kind: 'id', value: '771001' });
  expect(report.records[0]).toMatchObject({ family: 'employee_clean', record });
  expect(report).toMatchObject({ texts: { saved_searches: 1 }, accounts: [{ id: 'jane' }], erasures: [] });

  const { id } = await call<{ id: string }>('/erasures', { ...person, reference: 'T-2' });
  const after = await call<SubjectReport>('/subject-report', person);
  expect(after).toMatchObject({ records: [], accounts: [], erasures: [{ id, reference: 'T-2' }] });
  const { results } = await env.DB.prepare('SELECT * FROM audit').all();
  expect(JSON.stringify(results)).toContain(report.id);
  expect(JSON.stringify(results)).not.toMatch(/jane/i);
});

it('the console sends the report as a file', async () => {
  const browser = new Browser({ fetch: gateway.request });
  await browser.signIn(env.ADMIN_TOKEN ?? '');
  await browser.open('/console/records');
  const { headers, html } = await browser.submit('/console/records/report', {
    subject_family: 'employee_clean',
    subject_key: 'nobody-77',
  });
  expect(headers.get('content-disposition')).toContain('subject-report.json');
  expect(JSON.parse(html)).toMatchObject({ records: [], rows: [] });
  await browser.open('/console/records');
  expect((await browser.submit('/console/records/report')).status).toBe(400);
});
