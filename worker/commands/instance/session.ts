// Stores the session of a development instance: its address, the keys that the first start generates, and the nonce of each start.
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { generateToken } from '../../../shared/tokens.ts';

const keysSchema = z.object({ admin_token: z.string(), team_token: z.string(), provider_key: z.string() });

const storedSessionSchema = keysSchema.extend({
  url: z.string().optional(),
  /** Empty before the first start. */
  playground_nonce: z.string(),
});

/** Contents of `.dev/session.json`: the keys, and address and nonce of the last instance that was not temporary. */
export type StoredSession = z.output<typeof storedSessionSchema>;

/** Keys and address of a running instance. */
export interface Session extends z.output<typeof keysSchema> {
  /** Without a trailing slash. */
  url: string;
  /** Opens the playground of this start: see {@link formatPlaygroundUrl}. */
  playground_nonce: string;
}

/** A secret has 256 bits. */
export const SECRET_BYTES = 32;
const NONCE_BYTES = 16;

/** The provider's keys have 32 hexadecimal characters. */
const PROVIDER_KEY_BYTES = 16;

const getSessionFile = (dir: string): string => join(dir, 'session.json');

export const generateSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** Creates a folder that only its owner can open, or makes it one. */
export async function makePrivateFolder(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await chmod(dir, 0o700);
}

/** Writes a file atomically; only its owner can read it. @param file - its folder becomes private */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  await makePrivateFolder(dirname(file));
  const temporaryFile = `${file}.${process.pid}`;
  await writeFile(temporaryFile, text, { mode: 0o600 });
  await rename(temporaryFile, file);
}

/**
 * Reads the session of an instance.
 * @returns undefined if there is no readable session
 */
export async function readSession(dir: string): Promise<StoredSession | undefined> {
  try {
    return storedSessionSchema.parse(JSON.parse(await readFile(getSessionFile(dir), 'utf8')));
  } catch {
    return undefined;
  }
}

/**
 * Creates the session of an instance and keeps existing keys.
 * @param options - `url` has no trailing slash; address and nonce of a `temporary` instance are not stored
 */
export async function createSession(
  dir: string,
  { url, temporary }: { url: string; temporary: boolean },
): Promise<Session> {
  const earlier = await readSession(dir);
  const current: Session = {
    admin_token: earlier?.admin_token ?? generateSecret(),
    team_token: earlier?.team_token ?? generateToken(randomBytes),
    provider_key: earlier?.provider_key ?? randomBytes(PROVIDER_KEY_BYTES).toString('hex'),
    url,
    playground_nonce: randomBytes(NONCE_BYTES).toString('hex'),
  };
  const { playground_nonce = '' } = temporary ? (earlier ?? {}) : current;
  const storedSession: StoredSession = { ...current, url: temporary ? earlier?.url : url, playground_nonce };
  await writePrivateFile(getSessionFile(dir), `${JSON.stringify(storedSession, null, 2)}\n`);
  return current;
}
