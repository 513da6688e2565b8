// The ask bench: how well a language model turns sentences into search forms.
import * as z from 'zod';
import type { Bench, Outcome, Report, Settings, Variant } from '../harness/bench.ts';
import { askCases } from './requests.ts';

const QUICK_COUNT = 10;

const count = z.number();
const figuresSchema = z.object({
  sentences: count,
  exact: count,
  expected: count,
  filled: count,
  right: count,
  unsayable: count,
  named: count,
  refused: count,
  unusable: count,
  unanswered: count,
});

const variant: Variant = {
  name: 'model',
  label: process.env.ASSISTANT_MODEL ?? 'model',
  module: new URL('./run.ts', import.meta.url),
};

const formatShare = (part: number, whole: number): string => (whole === 0 ? '–' : (part / whole).toFixed(3));

function buildReport(outcomes: ReadonlyMap<string, Outcome>): Report {
  const rows = [...outcomes.values()].flatMap((outcome) =>
    outcome.state === 'measured' ? outcome.rounds.map((round) => figuresSchema.parse(round)) : [],
  );
  return {
    tables: [
      {
        columns: [
          'model',
          'sentences',
          'exact forms',
          'precision',
          'recall',
          'omissions named',
          'refused',
          'unusable',
          'unanswered',
        ],
        rows: rows.map((figures) => [
          variant.label,
          String(figures.sentences),
          formatShare(figures.exact, figures.sentences),
          formatShare(figures.right, figures.filled),
          formatShare(figures.right, figures.expected),
          formatShare(figures.named, figures.unsayable),
          String(figures.refused),
          String(figures.unusable),
          String(figures.unanswered),
        ]),
      },
    ],
    notes: [
      'Exact forms have all expected conditions and no other one. Precision: filled conditions that are expected. Recall: expected conditions that are filled.',
      'Refused: conditions of the model that a person could not have entered. Unusable: answers that were refused as a whole.',
    ],
    data: rows,
  };
}

export const askBench: Bench = {
  name: 'ask',
  about: 'exact forms, precision and recall of the configured language model (needs ASSISTANT_*)',
  plans: ({ quick, scale }: Settings) => [
    {
      title: 'sentences of several languages to search forms',
      variants: [variant],
      rounds: 1,
      parameters: { count: scale?.[0] ?? (quick ? QUICK_COUNT : askCases.length) },
      report: buildReport,
    },
  ],
};
