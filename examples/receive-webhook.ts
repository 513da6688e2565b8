// Receives webhooks about bulk orders that are ready, and verifies their signature (https://www.standardwebhooks.com).
// Usage: WEBHOOK_SECRET=whsec_… PORT=3000 node receive-webhook.ts, in a folder with the package standardwebhooks
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

// The answer of POST /admin/v1/teams/{id}/webhook-secret.
const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? '');
/** Ids of messages that were handled: a message may arrive more than once. Keep them in a database. */
const handled = new Set<string>();

const server = createServer(async (request, response) => {
  // The signature covers the body as it arrived, so verify it before parsing.
  const body = await text(request);
  const header = (name: string): string => String(request.headers[name] ?? '');
  try {
    webhook.verify(body, {
      'webhook-id': header('webhook-id'),
      'webhook-timestamp': header('webhook-timestamp'),
      'webhook-signature': header('webhook-signature'),
    });
  } catch {
    response.writeHead(401).end();
    return;
  }
  // Answer within 10 seconds, then work: other answers than 2xx are sent again.
  response.writeHead(204).end();
  const id = header('webhook-id');
  if (handled.has(id)) return;
  handled.add(id);
  const { data_request_id, status } = JSON.parse(body);
  console.log(`Bulk order ${data_request_id} is ${status}.`);
});

server.listen(Number(process.env.PORT ?? 3000), () => {
  const address = server.address();
  console.log(`Listening on port ${typeof address === 'object' ? address?.port : address}`);
});
