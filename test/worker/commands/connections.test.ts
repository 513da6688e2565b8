// Connections stay open after responses that don't need the request's body.
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, inject, it, onTestFinished } from 'vitest';

const session = inject('session');

function send(agent: Agent, method: string, path: string, headers: Record<string, string>, body: string) {
  return new Promise<{ status: number | undefined; reusedSocket: boolean }>((resolve, reject) => {
    const sending: ClientRequest = request(`${session.url}${path}`, { method, agent, headers });
    sending.on('error', reject);
    sending.on('response', (response: IncomingMessage) => {
      const { reusedSocket } = sending;
      text(response).then(() => resolve({ status: response.statusCode, reusedSocket }), reject);
    });
    sending.end(body);
  });
}

it.each([
  { status: 401, path: '/sheets/v1/lookup', bytes: 2, headers: {} },
  { status: 401, path: '/cdapi/v2/company_clean/search/es_dsl', bytes: 1_000_000, headers: {} },
  { status: 404, path: '/no-such-page', bytes: 100_000, headers: {} },
  // The limit is 64 KB: the body is read in part.
  {
    status: 413,
    path: '/admin/v1/teams',
    bytes: 1_000_000,
    headers: { authorization: `Bearer ${session.admin_token}` },
  },
])('a $status after $bytes bytes leaves the connection open', async ({ status, path, bytes, headers }) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const refused = await send(agent, 'POST', path, headers, 'x'.repeat(bytes));
  expect(refused).toEqual({ status, reusedSocket: false });
  expect(await send(agent, 'GET', '/health', {}, '')).toEqual({ status: 200, reusedSocket: true });
});
