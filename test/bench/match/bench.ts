// The match bench: how reliably company names are matched to records, and what it costs.
import type { Bench, Plan, Settings, Variant } from '../harness/bench.ts';
import type { Kind } from './data.ts';
import { buildReport } from './report.ts';

const COUNT = 400;
const QUICK_COUNT = 50;

const labels: Readonly<Record<Kind, string>> = {
  'legal-forms': 'other legal forms and case',
  'typing-errors': 'a typing error',
  abbreviations: 'abbreviations',
  numbers: 'numbers of funds',
  accents: 'missing accents (fictional)',
  german: 'German forms and letters (fictional)',
  japanese: 'Japanese forms (fictional)',
  cyrillic: 'Cyrillic letters (fictional)',
  turkish: 'Turkish forms and letters (fictional)',
};

const module = new URL('./run.ts', import.meta.url);
const variants = Object.entries(labels).map(([name, label]): Variant => ({ name, label, module }));

function createPlan({ quick, scale }: Settings, withCountry: boolean): Plan {
  return {
    title: `distorted names of companies, ${withCountry ? 'with' : 'without'} their country`,
    variants,
    rounds: 1,
    parameters: { count: scale?.[0] ?? (quick ? QUICK_COUNT : COUNT), withCountry },
    report: (outcomes) => buildReport(variants, outcomes),
  };
}

export const matchBench: Bench = {
  name: 'match',
  about: 'precision, recall and credits of matching distorted company names to records',
  plans: (settings) => [false, true].map((withCountry) => createPlan(settings, withCountry)),
};
