// Serves the stand-in of Google's accounts to an instance and to the tests that use it, in other processes.
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from './faults/listen.ts';
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
  const { origin, close } = await listen((request, response) => {
    answer(request).then(
      (body) => response.end(body),
      (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
    );
  });
  return { url: `${origin}/certs`, stop: close };
}

/** Signs an identity token with the key of a running stand-in. @param url - address of its public keys */
export async function signIdentity(url: string, claims: Claims): Promise<string> {
  const response = await fetch(new URL(SIGN_PATH, url), { method: 'POST', body: JSON.stringify(claims) });
  return response.text();
}
