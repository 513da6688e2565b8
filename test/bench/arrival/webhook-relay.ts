// Relays the provider's webhooks to the gateway and records their times.
import { buffer } from 'node:stream/consumers';
import { type Listening, listen } from '../../faults/listen.ts';

/** The header that is relayed. */
const CONTENT_TYPE = 'content-type';

/** A relay at the address of `PUBLIC_URL`. */
export interface WebhookRelay extends Listening {
  /** Sets the gateway's address. */
  setTarget: (url: string) => void;
  /** Times of the webhooks, in milliseconds since 1970. */
  receivedAt: readonly number[];
}

/** Starts a relay on a free port. */
export async function startWebhookRelay(): Promise<WebhookRelay> {
  const receivedAt: number[] = [];
  let gateway = '';
  const forward = async (path: string, type: string, body: Buffer): Promise<number> => {
    const { status } = await fetch(gateway + path, {
      method: 'POST',
      headers: { [CONTENT_TYPE]: type },
      body,
    });
    return status;
  };
  const listening = await listen((request, response) => {
    receivedAt.push(Date.now());
    const { url = '/', headers } = request;
    buffer(request)
      .then((body) => forward(url, headers[CONTENT_TYPE] ?? '', body))
      .then((status) => response.writeHead(status).end())
      .catch(() => response.destroy());
  });
  return {
    ...listening,
    receivedAt,
    setTarget: (url) => {
      gateway = url;
    },
  };
}
