// Reads the lines of a file and validates its encoding.
import { createReadStream } from 'node:fs';
import { UserError } from '../user-error.ts';

/**
 * Reads a file line by line. Does not split at U+2028, which JSON texts may contain.
 * @param maxLength - maximum characters of a line
 * @returns each line without its line end; undefined for a line that is too long
 */
export async function* readLines(file: string, maxLength: number): AsyncGenerator<string | undefined> {
  const decoder = new TextDecoder();
  const chunks: AsyncIterable<Buffer> = createReadStream(file);
  let remainder = '';
  let isTooLong = false;
  const finish = (text: string): string | undefined => {
    const line = isTooLong || text.length > maxLength ? undefined : text.replace(/\r$/, '');
    isTooLong = false;
    return line;
  };
  for await (const chunk of chunks) {
    const lines = (remainder + decoder.decode(chunk, { stream: true })).split('\n');
    remainder = lines.pop() ?? '';
    for (const line of lines) yield finish(line);
    if (remainder.length > maxLength) {
      isTooLong = true;
      remainder = '';
    }
  }
  remainder += decoder.decode();
  if (remainder !== '' || isTooLong) yield finish(remainder);
}

/** Checks that a file is UTF-8. @throws UserError that names the first invalid line */
export async function assertUtf8(file: string): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const chunks: AsyncIterable<Buffer> = createReadStream(file);
  let line = 1;
  try {
    for await (const chunk of chunks) {
      for (let from = 0, to = 0; from < chunk.length; from = to) {
        const end = chunk.indexOf('\n', from);
        to = end < 0 ? chunk.length : end + 1;
        decoder.decode(chunk.subarray(from, to), { stream: true });
        if (end >= 0) line += 1;
      }
    }
    decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UserError(`${file} is not UTF-8 (line ${line}): save it as UTF-8, then try again.`);
  }
}
