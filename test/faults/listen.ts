// Starts HTTP servers on free local ports.
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';

const HOST = '127.0.0.1';

/** A running server. */
export interface Listening {
  /** Without a trailing slash. */
  origin: string;
  /** Closes the server and all connections. */
  close: () => Promise<void>;
}

/** Starts a server. */
export function listen(answer: RequestListener): Promise<Listening> {
  const server = createServer(answer);
  // Avoids random failures when a client reuses a connection that the server is closing.
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
