// A stand-in for an incoming webhook of a chat: takes alerts as strictly as a chat does, and shows the last ones.
import { Hono } from 'hono';
import * as z from 'zod';
import type { DevelopmentEnv } from '../env.ts';
import { isLoopback } from '../gateway/upstream/configured-upstream.ts';
import { readRequestText } from '../http/read-body.ts';
import { parseJson } from '../lib/exact-json.ts';
import { Time } from '../routes/console/components/data.tsx';
import { renderDocument } from '../routes/console/layout.tsx';

/** Path of the receiver. */
export const ALERTS_PATH = '/development/alerts';

const MAX_MESSAGES = 50;
const MAX_BYTES = 16 * 1024;

const messageSchema = z.strictObject({ text: z.string().min(1) });
const failureSchema = z.coerce.number().int().min(400).max(599);

interface Message {
  at: string;
  text: string;
}

const Page = ({ url, messages }: { url: string; messages: readonly Message[] }) => (
  <main id="main">
    <h1>Received alerts</h1>
    <p class="lead">
      Stands in for the incoming webhook of a chat. Operator alerts arrive here; for alerts of a team, use the
      address <code>{url}</code>. With <code>?answer=404</code> behind it, it refuses every message with that
      status.
    </p>
    <div id="list" data-live="5">
      {messages.length === 0 ? (
        <p class="empty">
          No message yet. Send a test from the <a href="/console/settings">settings of the console</a>, or
          make the sandbox fail: docs/admin.md, “Operator alerts”.
        </p>
      ) : (
        messages.map(({ at, text }) => (
          <article class="card">
            <p>{text}</p>
            <small>
              <Time at={at} />
            </small>
          </article>
        ))
      )}
    </div>
  </main>
);

/**
 * Tells whether a request names this machine. A page of another site can reach the port under its own host name (DNS rebinding)
 * and forge the URL by a header of the local platform, but not the header `Host`.
 */
const isFromThisMachine = ({ url, headers }: Request): boolean =>
  isLoopback(new URL(url).hostname) &&
  isLoopback(URL.parse(`http://${headers.get('host') ?? 'localhost'}`)?.hostname ?? '');

/** Creates the receiver. The isolate keeps the messages. @param now - milliseconds since 1970 */
export function createAlertReceiver(now: () => number): Hono<{ Bindings: DevelopmentEnv }> {
  const messages: Message[] = [];
  const routes = new Hono<{ Bindings: DevelopmentEnv }>();
  routes.use(async (c, next) => {
    if (!isFromThisMachine(c.req.raw)) return c.notFound();
    await next();
    c.header('cache-control', 'no-store');
    return undefined;
  });
  routes.get('/', (c) => {
    const url = new URL(ALERTS_PATH, c.req.url).href;
    return c.html(
      renderDocument('Received alerts', <Page url={url} messages={messages} />, '/console/live.js'),
    );
  });
  routes.post('/', async (c) => {
    const failure = failureSchema.safeParse(c.req.query('answer'));
    if (failure.success) return new Response('refused', { status: failure.data });
    // A page of another site can send a form, but no JSON.
    if (c.req.header('content-type') !== 'application/json') return c.text('invalid_content_type', 400);
    const text = await readRequestText(c.req.raw, MAX_BYTES);
    const message = messageSchema.safeParse(parseJson(text ?? ''));
    if (!message.success) return c.text('invalid_payload', 400);
    messages.unshift({ at: new Date(now()).toISOString(), text: message.data.text });
    messages.length = Math.min(messages.length, MAX_MESSAGES);
    return c.text('ok');
  });
  return routes;
}
