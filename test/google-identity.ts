// Stand-in of Google's accounts: signs identity tokens, and serves the public keys at their address only.
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

export const KEYS_URL = 'https://www.googleapis.com/oauth2/v3/certs';
export const ISSUER = 'https://accounts.google.com';
export const AUDIENCE = '1234567890-release.apps.googleusercontent.com';

/** Google's tokens are valid for an hour. */
const LIFETIME_S = 3600;

interface SigningKey {
  id: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
}

/** Claims of a person of acme.com. undefined removes one. */
export type Claims = { [Name in keyof JWTPayload]?: JWTPayload[Name] | undefined };

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;

/** Generating an RSA key takes long, so stand-ins of the same owner share the keys under different ids. */
const keyPairs = new Map<string, Promise<KeyPair>>();

function getKeyPair(name: string): Promise<KeyPair> {
  const pair = keyPairs.get(name) ?? generateKeyPair('RS256', { extractable: true });
  keyPairs.set(name, pair);
  return pair;
}

/** Google's keys and its endpoint. */
export class GoogleIdentity {
  /** Requests to the endpoint. */
  requests = 0;
  /** The endpoint does not answer. */
  isDown = false;
  /** The endpoint's answer; undefined for its keys. */
  answer: (() => Response) | undefined;
  cacheControl = 'public, max-age=20000, must-revalidate, no-transform';
  readonly #now: () => number;
  readonly #owner: string;
  readonly #keysUrl: string;
  #keys: SigningKey[] = [];
  /** Number of keys so far. */
  #keyCount = 0;

  private constructor(now: () => number, owner: string, keysUrl: string) {
    this.#now = now;
    this.#owner = owner;
    this.#keysUrl = keysUrl;
  }

  /**
   * @param now - milliseconds since 1970
   * @param owner - of the keys: another one has other keys
   * @param keysUrl - address of the public keys: another service that signs in the same way has another one
   */
  static async create(now: () => number, owner = 'Google', keysUrl = KEYS_URL): Promise<GoogleIdentity> {
    const google = new GoogleIdentity(now, owner, keysUrl);
    await google.rotate();
    return google;
  }

  /** Adds a key that signs from now on, and withdraws all but the last one. */
  async rotate(): Promise<void> {
    this.#keyCount += 1;
    const pair = await getKeyPair(`${this.#owner} ${this.#keyCount}`);
    this.#keys = [...this.#keys.slice(-1), { id: crypto.randomUUID(), ...pair }];
  }

  get #current(): SigningKey {
    const key = this.#keys.at(-1);
    if (key === undefined) throw new Error('no key');
    return key;
  }

  get keyId(): string {
    return this.#current.id;
  }

  /** Returns the public key, with which nothing may be signed. */
  async getPublicJwk(): Promise<Record<string, unknown>> {
    return { ...(await exportJWK(this.#current.publicKey)) };
  }

  /** Returns the claims that Google gives a person of a company. */
  claims(changes: Claims = {}): JWTPayload {
    const seconds = Math.floor(this.#now() / 1000);
    const claims: Claims = {
      iss: ISSUER,
      azp: AUDIENCE,
      aud: AUDIENCE,
      sub: '110169484474386276334',
      hd: 'acme.com',
      email: 'ada@acme.com',
      email_verified: true,
      at_hash: 'HK6E_P6Dh8Y93mRNtsDB1Q',
      iat: seconds,
      exp: seconds + LIFETIME_S,
      ...changes,
    };
    return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
  }

  /** Signs an identity token. */
  sign(changes: Claims = {}, header: { kid?: string } = {}): Promise<string> {
    return new SignJWT(this.claims(changes))
      .setProtectedHeader({ alg: 'RS256', kid: this.keyId, typ: 'JWT', ...header })
      .sign(this.#current.privateKey);
  }

  /** Answers like Google's endpoint of public keys, and refuses every other request. */
  readonly fetch = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const request = new Request(url, { ...init, redirect: 'manual' });
    if (request.url !== this.#keysUrl || request.method !== 'GET')
      return new Response('Not Found', { status: 404 });
    this.requests += 1;
    if (this.isDown) throw new TypeError('network failure');
    if (this.answer !== undefined) return this.answer();
    const keys = await Promise.all(
      this.#keys.map(async ({ id, publicKey }) => ({
        ...(await exportJWK(publicKey)),
        kid: id,
        alg: 'RS256',
        use: 'sig',
      })),
    );
    return Response.json({ keys }, { headers: { 'cache-control': this.cacheControl } });
  };
}
