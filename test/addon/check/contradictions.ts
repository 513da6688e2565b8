// Compares results of the check at Google with what the emulated host answers.
import type { Report } from './spreadsheet.ts';

/**
 * Lists what the host answers differently. Measurements are not compared.
 * @param live - a run at Google
 * @param emulated - a run in the host under the same circumstances
 * @returns a sentence for each difference
 */
export function listContradictions(live: Report, emulated: Report): string[] {
  const answers = new Map(emulated.results.map((result) => [result.id, result]));
  return live.results.flatMap(({ id, found, status }) => {
    const answer = answers.get(id);
    if (answer === undefined) return [`${id}: no check has this name`];
    if (status === 'INFO' || answer.status === 'INFO' || answer.found === found) return [];
    return [`${id}: Google “${found}”, the host “${answer.found}”`];
  });
}
