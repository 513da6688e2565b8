// Reads --map: which headings of a table lead to the known ones.
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { type Heading, knownHeadings } from '../../sandbox/import/company-records.ts';
import { UserError } from '../user-error.ts';

const leads = z.record(z.string(), z.string());

const isKnown = (text: string): text is Heading => knownHeadings.some((heading) => heading === text);

/**
 * Reads a map of headings.
 * @param file - JSON as {"a heading of the table": "a known heading"}; it exists
 * @throws UserError where it is none, or leads to a heading that is not known
 */
export async function readMap(file: string): Promise<Map<string, Heading>> {
  const text = await readFile(file, 'utf8');
  let read: z.output<typeof leads>;
  try {
    read = leads.parse(JSON.parse(text));
  } catch {
    throw new UserError(`${file} is no map: it holds {"a heading of the file": "a known heading"}.`);
  }
  const map = new Map<string, Heading>();
  for (const [heading, target] of Object.entries(read)) {
    if (!isKnown(target)) {
      const known = knownHeadings.join(', ');
      throw new UserError(`${file} leads "${heading}" to "${target}". The known headings are ${known}.`);
    }
    map.set(heading, target);
  }
  return map;
}
