// Stores the secrets that protect the data of a development instance, beside that data: they only fit together.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { writePrivateFile } from './session.ts';

const names = ['ENCRYPTION_SECRET', 'PSEUDONYM_SECRET'] as const;

/** Secrets of the Worker, by their names. */
export type DataSecrets = Record<(typeof names)[number], string>;

const storedSchema = z.partialRecord(z.enum(names), z.string());

async function readStored(file: string): Promise<z.output<typeof storedSchema>> {
  try {
    return storedSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
}

/**
 * Reads the secrets of an instance, and generates missing ones.
 * @param stateDir - folder of its data
 */
export async function loadDataSecrets(stateDir: string): Promise<DataSecrets> {
  const file = join(stateDir, 'secrets.json');
  const stored = await readStored(file);
  const generate = (): string => randomBytes(32).toString('base64url');
  const secrets: DataSecrets = {
    ENCRYPTION_SECRET: stored.ENCRYPTION_SECRET ?? generate(),
    PSEUDONYM_SECRET: stored.PSEUDONYM_SECRET ?? generate(),
  };
  await writePrivateFile(file, `${JSON.stringify(secrets, null, 2)}\n`);
  return secrets;
}
