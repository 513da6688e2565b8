// The door that the provider's webhooks come through: it notes when, and passes them on to the gateway.
import { buffer } from 'node:stream/consumers';
import { type Listening, listen } from '../../faults/listen.ts';

/** What a webhook is passed on with. */
const CONTENT_TYPE = 'content-type';

/** Where the provider reaches the gateway, as `PUBLIC_URL` says. */
export interface WebhookRelay extends Listening {
  /** Says where the gateway is. */
  setTarget: (url: string) => void;
  /** When webhooks came in, in milliseconds since 1970. */
  receivedAt: readonly number[];
}

/** Opens a door on a free port of this machine. */
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
