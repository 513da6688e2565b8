// Reads files that may be absent.
import { readFile } from 'node:fs/promises';
import type * as z from 'zod';
import { UserError } from './user-error.ts';

/** Reads a file; undefined if it is absent. @throws UserError if it can't be read */
export const readOptionalFile = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new UserError(`${file} can’t be read (${error.code}).`);
  });

/** Reads a JSON file; undefined if it is absent. @throws UserError if it has another form */
export async function readJsonFile<T>(file: string, schema: z.ZodType<T>): Promise<T | undefined> {
  const text = await readOptionalFile(file);
  if (text === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new UserError(`${file} is damaged. Put your copy of it back and run the same command again.`);
  }
}
