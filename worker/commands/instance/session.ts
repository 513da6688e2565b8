// Stores the session of a development instance: its address, and the keys that the first start generates.
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { generateToken } from '../../../shared/tokens.ts';

const keysSchema = z.object({ admin_token: z.string(), team_token: z.string(), provider_key: z.string() });

const storedSessionSchema = keysSchema.extend({ url: z.string().optional() });

/** Contents of `.dev/session.json`: the keys, and the address of the last instance that was not temporary. */
export type StoredSession = z.output<typeof storedSessionSchema>;

/** Keys and address of a running instance. */
export interface Session extends z.output<typeof keysSchema> {
  /** Without a trailing slash. */
  url: string;
}

/** Generates 32 hexadecimal characters, a key in the provider's format. */
function generateProviderKey(): string {
  return randomBytes(16).toString('hex');
}

const getSessionFile = (dir: string): string => join(dir, 'session.json');

/** Writes a file atomically; only its owner can read it. @param file - its folder is created if absent */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const temporaryFile = `${file}.${process.pid}`;
  await writeFile(temporaryFile, text, { mode: 0o600 });
  await rename(temporaryFile, file);
}

/**
 * Reads the session of an instance.
 * @param dir - the instance's folder
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
 * @param dir - the instance's folder
 * @param options - `url` has no trailing slash; the address of a `temporary` instance is not stored
 */
export async function createSession(
  dir: string,
  { url, temporary }: { url: string; temporary: boolean },
): Promise<Session> {
  const earlier = await readSession(dir);
  const current: Session = {
    admin_token: earlier?.admin_token ?? randomBytes(32).toString('base64url'),
    team_token: earlier?.team_token ?? generateToken((length) => randomBytes(length)),
    provider_key: earlier?.provider_key ?? generateProviderKey(),
    url,
  };
  const storedSession: StoredSession = { ...current, url: temporary ? earlier?.url : url };
  await writePrivateFile(getSessionFile(dir), `${JSON.stringify(storedSession, null, 2)}\n`);
  return current;
}
