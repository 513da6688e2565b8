// The provider's process: answers every id with a record.
import { createServer, type ServerResponse } from 'node:http';
import * as z from 'zod';
import type { UpstreamReply } from './provider.ts';
import { FAMILY, formatRecord } from './records.ts';

const HOST = '127.0.0.1';
/** Above the load of every bench, so that the provider's limit is not measured. */
const RATE_LIMIT_PER_S = '9999';
/** Matches record paths. The Portkey proxy can only request files. */
const RECORD_PATH = new RegExp(`/(?:${FAMILY}/collect|files)/(\\d+)$`);

/** Port; 0 selects any free port. */
const startSchema = z.object({ port: z.number() });

function sendRecord(response: ServerResponse, id: string): void {
  const body = formatRecord(id);
  response
    .writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-ratelimit-limit-second': RATE_LIMIT_PER_S,
    })
    .end(body);
}

async function start(message: unknown): Promise<number> {
  const { port } = startSchema.parse(message);
  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    const id = RECORD_PATH.exec(request.url ?? '')?.[1];
    if (id === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found');
      return;
    }
    sendRecord(response, id);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, resolve);
  });
  return z.object({ port: z.number() }).parse(server.address()).port;
}

const sendReply = (answer: UpstreamReply): unknown => process.send?.(answer);

process.once('message', (message) => {
  start(message).then(
    (port) => sendReply({ port }),
    (error: unknown) => sendReply({ failed: String(error) }),
  );
});
process.once('disconnect', () => process.exit());
