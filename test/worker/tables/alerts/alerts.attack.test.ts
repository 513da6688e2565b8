// Attacks through alerts: links in names, and floods of test messages to addresses of others.
import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import type { Alert } from '../../../../shared/api/schedules.ts';
import { deleteMentions } from '../../../../worker/privacy/erasure-run.ts';
import { buildMessageBody } from '../../../../worker/tables/alerts/enqueue-alert.ts';
import { clock } from '../../platform.ts';
import { createClient } from '../../routes/sheets/callers.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** What chats show as links: addresses with or without a scheme, of mail and of hosts. */
const LINK = /[a-z]+:\/\/|\w@\w|\w\.[a-z]{2,}|\]\(|<[^>]*>/i;

it.each([
  'https://evil.example/login',
  'evil.example',
  'www.evil.example/a?b',
  'mailto:boss@evil.example',
  '<https://evil.example|Your invoice>',
  '[Your invoice](https://evil.example)',
  'https://evil.example/a@b.iam.gserviceaccount.com',
  'slack://user?team=T0',
])('a table is called %s, to be a link in a chat: it is shown as text', (title) => {
  const { text }: { text: string } = JSON.parse(buildMessageBody(title, `The table “${title}” has failed.`));
  expect(text.replaceAll('](', '')).not.toMatch(LINK);
  const shown = text.replaceAll('\u2060', '').replaceAll('&lt;', '<').replaceAll('&gt;', '>');
  expect(shown.replaceAll('&amp;', '&')).toBe(`${title}: The table “${title}” has failed.`);
});

it('the address of a service account can be copied', () => {
  const account = 'pusher@project.iam.gserviceaccount.com';
  expect(buildMessageBody('Team', `Share it with ${account} as an editor.`)).toContain(` ${account} `);
});

it('an erasure finds a website in an alert, although it is no link there', async () => {
  await env.DB.prepare(
    'INSERT INTO alert_messages (id, alert_id, subject, body, created_at) VALUES (?1, ?1, ?1, ?2, 0)',
  )
    .bind('m', buildMessageBody('Team', 'The table “acme.example” has failed.'))
    .run();
  expect(
    await deleteMentions(env.DB, [{ family: 'company_base', kind: 'website', value: 'acme.example' }]),
  ).toBe(1);
});

it('a token sends test messages to somebody else’s address without end: refused after five a minute', async () => {
  const sent = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response());
  const client = await createClient('flooding');
  const urls = ['https://hooks.example.com/victim', 'https://hooks.example.com/victim-too'];
  const alerts = await Promise.all(
    urls.map((url) => client.ok<Alert>('POST', '/alerts', { url, on: ['failure'] })),
  );
  const statuses: number[] = [];
  for (let turn = 0; turn < 4; turn += 1)
    for (const { id } of alerts) statuses.push((await client.call('POST', `/alerts/${id}/test`)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
  expect(sent).toHaveBeenCalledTimes(5);
  clock.now += 60_000;
  expect((await client.call('POST', `/alerts/${alerts[0]?.id}/test`)).status).toBe(200);
});
