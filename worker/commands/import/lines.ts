// Reads the lines of a file, and makes sure beforehand that they are UTF-8.
import { createReadStream } from 'node:fs';
import { UserError } from '../user-error.ts';

/**
 * Reads a file line by line, and not by U+2028, which may stand in the text of a JSON line.
 * @param maxLength - of a line, in characters; of a longer one nothing is kept
 * @returns each line without its end, undefined for one that is too long
 */
export async function* readLines(file: string, maxLength: number): AsyncGenerator<string | undefined> {
  const decoder = new TextDecoder();
  const chunks: AsyncIterable<Buffer> = createReadStream(file);
  let rest = '';
  let isTooLong = false;
  const finish = (text: string): string | undefined => {
    const line = isTooLong || text.length > maxLength ? undefined : text.replace(/\r$/, '');
    isTooLong = false;
    return line;
  };
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield finish(line);
    if (rest.length > maxLength) {
      isTooLong = true;
      rest = '';
    }
  }
  rest += decoder.decode();
  if (rest !== '' || isTooLong) yield finish(rest);
}

/**
 * Makes sure that a file is UTF-8, before anything of it is taken.
 * @throws UserError with the first line that is not
 */
export async function requireUtf8(file: string): Promise<void> {
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
