// An HTTP server of the tests' own, on a free port of this machine.
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';

const HOST = '127.0.0.1';

/** A server that listens. */
export interface Listening {
  /** Its origin, without a slash at the end. */
  origin: string;
  /** Ends it with every connection that it has. */
  close: () => Promise<void>;
}

/** Starts a server. */
export function listen(answer: RequestListener): Promise<Listening> {
  const server = createServer(answer);
  // A connection that the server closes just when its client uses it again is a fault, and faults are the test's to make.
  server.keepAliveTimeout = 0;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, HOST, () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      resolve({ origin: `http://${HOST}:${port}`, close });
    });
  });
}
