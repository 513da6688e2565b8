// Serves the stand-in of Google's accounts to an instance and to the tests that use it, in other processes.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Claims, GoogleIdentity, KEYS_URL } from './google-identity.ts';

const SIGN_PATH = '/sign';

/** A running stand-in. */
export interface GoogleIdentityServer {
  /** Address of the public keys. */
  url: string;
  stop: () => Promise<void>;
}

/** Starts the stand-in on a free port. */
export async function serveGoogleIdentity(): Promise<GoogleIdentityServer> {
  const google = await GoogleIdentity.create(Date.now);
  const answer = async (request: IncomingMessage): Promise<string> => {
    if (request.url !== SIGN_PATH) return (await google.fetch(KEYS_URL)).text();
    return google.sign(JSON.parse(await text(request)) as Claims);
  };
  const server = createServer((request, response) => {
    answer(request).then(
      (body) => response.end(body),
      (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/certs`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Signs an identity token with the key of a running stand-in. @param url - address of its public keys */
export async function signIdentity(url: string, claims: Claims): Promise<string> {
  const response = await fetch(new URL(SIGN_PATH, url), { method: 'POST', body: JSON.stringify(claims) });
  return response.text();
}
