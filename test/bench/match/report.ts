// Reports the match bench: precision, recall and credits for each way of distorting names.
import * as z from 'zod';
import type { Outcome, Report, Variant } from '../harness/bench.ts';

/** Counts of a run. */
const figuresSchema = z.object({
  names: z.number(),
  /** Names of companies that the records have. */
  present: z.number(),
  /** Names with a match. */
  matched: z.number(),
  /** Matches that are the company. */
  right: z.number(),
  /** Names that are left to a person. */
  ambiguous: z.number(),
  credits: z.number(),
});
export type Figures = z.infer<typeof figuresSchema>;

const formatShare = (part: number, whole: number): string => (whole === 0 ? '–' : (part / whole).toFixed(3));

/** Builds the report. */
export function buildReport(variants: readonly Variant[], outcomes: ReadonlyMap<string, Outcome>): Report {
  const rows = variants.flatMap(({ name, label }) => {
    const outcome = outcomes.get(name);
    if (outcome?.state !== 'measured') return [];
    const [figures] = z.tuple([figuresSchema]).rest(figuresSchema).parse(outcome.rounds);
    return [{ label, ...figures }];
  });
  return {
    tables: [
      {
        columns: [
          'names with',
          'names',
          'present',
          'precision',
          'recall',
          'left to a person',
          'credits a match',
        ],
        rows: rows.map(({ label, names, present, matched, right, ambiguous, credits }) => [
          label,
          String(names),
          String(present),
          formatShare(right, matched),
          formatShare(right, present),
          String(ambiguous),
          right === 0 ? '–' : (credits / right).toFixed(1),
        ]),
      },
    ],
    notes: [
      'One company in five is absent from the records. Each has decoys: the name with another word, with another letter in its first word, or with another number.',
      'Precision: matches that are the company. Recall: present companies that were matched. Credits include comparing candidates and a record for each match.',
    ],
    data: rows,
  };
}
