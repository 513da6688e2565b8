// The door that the provider's webhooks come through: it notes when, and passes them on to the gateway.
import { buffer } from 'node:stream/consumers';
import { type Listening, listen } from '../../faults/listen.ts';

/** What a webhook is passed on with. */
const TYPE = 'content-type';

/** Where the provider reaches the gateway, as `PUBLIC_URL` says. */
export interface Door extends Listening {
  /** Says where the gateway is. */
  leadTo: (url: string) => void;
  /** When webhooks came in, in milliseconds since 1970. */
  heard: readonly number[];
}

/** Opens a door on a free port of this machine. */
export async function openDoor(): Promise<Door> {
  const heard: number[] = [];
  let gateway = '';
  const pass = async (path: string, type: string, body: Buffer): Promise<number> => {
    const { status } = await fetch(gateway + path, { method: 'POST', headers: { [TYPE]: type }, body });
    return status;
  };
  const listening = await listen((request, response) => {
    heard.push(Date.now());
    const { url = '/', headers } = request;
    buffer(request)
      .then((body) => pass(url, headers[TYPE] ?? '', body))
      .then((status) => response.writeHead(status).end())
      .catch(() => response.destroy());
  });
  return {
    ...listening,
    heard,
    leadTo: (url) => {
      gateway = url;
    },
  };
}
