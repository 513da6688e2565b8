// Reads --map: a JSON file that maps a table's headings to known headings.
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { type Heading, knownHeadings } from '../../sandbox/import/company-records.ts';
import { UserError } from '../user-error.ts';
import { toPrintable } from './table-head.ts';

const mapSchema = z.record(z.string(), z.string());

const isKnown = (text: string): text is Heading => knownHeadings.some((heading) => heading === text);

/**
 * Reads a heading map.
 * @param file - an existing JSON file: {"a heading of the table": "a known heading"}
 * @throws UserError if it is invalid or contains an unknown heading
 */
export async function readHeadingMap(file: string): Promise<Map<string, Heading>> {
  const text = await readFile(file, 'utf8');
  let parsed: z.output<typeof mapSchema>;
  try {
    parsed = mapSchema.parse(JSON.parse(text));
  } catch {
    throw new UserError(`${file} is not a heading map: write {"a heading of the file": "a known heading"}.`);
  }
  const map = new Map<string, Heading>();
  for (const [heading, target] of Object.entries(parsed)) {
    if (!isKnown(target)) {
      const known = knownHeadings.join(', ');
      throw new UserError(
        `${file} maps "${toPrintable(heading)}" to "${toPrintable(target)}", which is unknown. The known headings are ${known}.`,
      );
    }
    map.set(heading, target);
  }
  return map;
}
