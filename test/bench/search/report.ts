// Reports the search bench: times side by side, and agreement with Lucene.
import * as z from 'zod';
import type { Outcome, Report, Variant } from '../harness/bench.ts';
import { formatNumber, formatRatio, formatSpread, median, sum, summarize } from '../harness/numbers.ts';
import { answersSchema, compareAnswer, TOLERANCE } from './answers.ts';
import { type Round, roundSchema } from './measure.ts';
import { queries } from './queries.ts';

/** Adds up the times of all queries per round. */
function sumPasses(rounds: readonly Round[], which: 'first' | 'warm'): number[] {
  return rounds.map((round) => sum(round.map((figure) => figure[which])));
}

/** Describes how far our answers agree with Lucene's. @returns undefined if either is missing */
function formatAgreement(ours: Outcome | undefined, lucene: Outcome | undefined): string | undefined {
  if (ours?.state !== 'measured' || lucene?.state !== 'measured') return undefined;
  const theirs = answersSchema.parse(lucene.preparation);
  const compared = answersSchema.parse(ours.preparation).map((answer, query) => ({
    ...compareAnswer(answer, theirs[query] ?? { ids: [], scores: [] }),
    name: queries[query]?.name,
  }));
  const totals = z
    .array(roundSchema)
    .parse(ours.rounds)
    .every((round) => round.every(({ total }, query) => total === theirs[query]?.ids.length));
  const wrong = compared.flatMap(({ name, differs }) =>
    differs === undefined ? [] : `${name} (${differs})`,
  );
  return (
    `Of our answers ${compared.length - wrong.length} of ${compared.length} are Lucene's: total and set equal, ` +
    `scores within ${formatNumber(TOLERANCE * 100)} %, order equal where scores differ by more. ` +
    `The score that is furthest off is so by ${formatNumber(Math.max(...compared.map((one) => one.maxDeviation)) * 100)} %.` +
    `${wrong.length === 0 ? '' : ` Not these: ${wrong.join(', ')}.`}` +
    `${totals ? '' : ' Totals differed while times were taken.'}`
  );
}

/** Builds the report. @param variants - ours, then Lucene */
export function buildReport(variants: readonly Variant[], outcomes: ReadonlyMap<string, Outcome>): Report {
  const [ours, lucene] = variants.map(({ name }) => outcomes.get(name));
  const ourTimes =
    ours?.state === 'measured' ? sumPasses(z.array(roundSchema).parse(ours.rounds), 'warm') : [];
  const rows = variants.flatMap(({ name, label }) => {
    const outcome = outcomes.get(name);
    if (outcome?.state !== 'measured') return [];
    const rounds = z.array(roundSchema).parse(outcome.rounds);
    const [first, warm] = [sumPasses(rounds, 'first'), sumPasses(rounds, 'warm')];
    const ratio = ourTimes.length === 0 ? Number.NaN : median(warm) / median(ourTimes);
    return [{ label, first, warm, ratio }];
  });
  const note = formatAgreement(ours, lucene);
  return {
    tables: [
      {
        columns: ['engine', 'first ms', 'warm ms', 'warm ratio'],
        rows: rows.map(({ label, first, warm, ratio }) => [
          label,
          formatSpread(summarize(first)),
          formatSpread(summarize(warm)),
          formatRatio(ratio),
        ]),
      },
    ],
    notes: [
      'Times of all queries together. First: each for the first time in its process. Ratio: how many times our time it takes; above 1 we are ahead.',
      ...(note === undefined ? [] : [note]),
    ],
    data: { rows, agreement: note },
  };
}
