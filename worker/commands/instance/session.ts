// The session of a development instance: its address and its keys, made at the first start and kept.
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { generateToken } from '../../../shared/tokens.ts';

const keys = z.object({ admin_token: z.string(), team_token: z.string(), provider_key: z.string() });

const stored = keys.extend({ url: z.string().optional() });

/** `.dev/session.json`: the keys, and where the instance was last started to stay. */
export type StoredSession = z.output<typeof stored>;

/** The keys of a running instance and where it answers. */
export interface Session extends z.output<typeof keys> {
  /** Without a slash at its end. */
  url: string;
}

/** 32 alphanumeric characters, as the provider's keys are. */
function providerKey(): string {
  return randomBytes(16).toString('hex');
}

const sessionFile = (dir: string): string => join(dir, 'session.json');

/**
 * Writes a file that only its owner may read, whole or not at all.
 * @param file - its folder is made where it is missing
 */
export async function writePrivate(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const fresh = `${file}.${process.pid}`;
  await writeFile(fresh, text, { mode: 0o600 });
  await rename(fresh, file);
}

/**
 * Reads the session of an instance.
 * @param dir - the instance's folder
 * @returns undefined where there is none that can be read
 */
export async function readSession(dir: string): Promise<StoredSession | undefined> {
  try {
    return stored.parse(JSON.parse(await readFile(sessionFile(dir), 'utf8')));
  } catch {
    return undefined;
  }
}

/**
 * Makes the session for an instance at this address; keys of an earlier one are kept.
 * @param dir - the instance's folder
 * @param options - `url` without a slash at its end; a `temporary` one is not noted down
 */
export async function openSession(
  dir: string,
  { url, temporary }: { url: string; temporary: boolean },
): Promise<Session> {
  const earlier = await readSession(dir);
  const current: Session = {
    admin_token: earlier?.admin_token ?? randomBytes(32).toString('base64url'),
    team_token: earlier?.team_token ?? generateToken((length) => randomBytes(length)),
    provider_key: earlier?.provider_key ?? providerKey(),
    url,
  };
  const noted: StoredSession = { ...current, url: temporary ? earlier?.url : url };
  await writePrivate(sessionFile(dir), `${JSON.stringify(noted, null, 2)}\n`);
  return current;
}
