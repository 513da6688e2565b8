// What the figures of the search bench say: times side by side, agreement with Lucene, where our time goes.
import * as z from 'zod';
import type { Outcome, Report, Settings, Variant } from '../harness/bench.ts';
import {
  geometricMean,
  median,
  spread,
  sum,
  written,
  writtenRatio,
  writtenSpread,
} from '../harness/numbers.ts';
import type { Table } from '../harness/table.ts';
import { type Compared, comparisonSchema, TOLERANCE } from './answers.ts';
import { type Figure, figureSchema } from './drive.ts';
import { queries } from './queries.ts';

/** The variant that the others are compared with. */
const OURS = 'ours';

/** By round, by query. */
type Rounds = readonly ReadonlyMap<number, Figure>[];

function roundsOf(outcome: Outcome | undefined): Rounds {
  if (outcome?.state !== 'measured') return [];
  const rounds = z.array(z.array(figureSchema)).parse(outcome.rounds);
  return rounds.map((figures) => new Map(figures.map((figure) => [figure.query, figure])));
}

/** A query's time: the median over the rounds. */
function timeOf(rounds: Rounds, query: number): number {
  const times = rounds.flatMap((round) => round.get(query)?.warm ?? []);
  return times.length === 0 ? Number.NaN : median(times);
}

/** A round's time for some queries, each asked once. */
function passes(rounds: Rounds, asked: readonly number[], which: 'first' | 'warm'): number[] {
  return rounds.map((round) => sum(asked.map((query) => round.get(query)?.[which] ?? Number.NaN)));
}

/**
 * How many answers are Lucene's: in all that was compared beforehand, and with the same total when the time was taken.
 */
function agreeing(compared: readonly Compared[], rounds: Rounds): number {
  return compared.filter(
    ({ query, total, differs }) =>
      differs === undefined && rounds.every((round) => round.get(query)?.total === total),
  ).length;
}

interface Row {
  name: string;
  label: string;
  asked: readonly number[];
  /** Answers that are Lucene's, and how many could be; undefined where Lucene is missing. */
  agreement: { same: number; of: number } | undefined;
  first: readonly number[];
  warm: readonly number[];
  /** Queries in which we are ahead. */
  ahead: number;
  /** How many times our time it takes: of the queries one by one, of all together. */
  typical: number;
  ratio: number;
  firstRatio: number;
}

function rowOf(
  { name, label }: Variant,
  rounds: Rounds,
  ours: Rounds,
  compared: readonly Compared[] | undefined,
): Row {
  const asked = [...(rounds[0]?.keys() ?? [])];
  const [first, warm] = [passes(rounds, asked, 'first'), passes(rounds, asked, 'warm')];
  const same = { first: passes(ours, asked, 'first'), warm: passes(ours, asked, 'warm') };
  const ratios = asked.map((query) => timeOf(rounds, query) / timeOf(ours, query));
  return {
    name,
    label,
    asked,
    agreement: compared && { same: agreeing(compared, rounds), of: compared.length },
    first,
    warm,
    ahead: ratios.filter((ratio) => ratio > 1).length,
    typical: geometricMean(ratios),
    ratio: median(warm) / median(same.warm),
    firstRatio: median(first) / median(same.first),
  };
}

function mainTable(rows: readonly Row[]): Table {
  return {
    columns: [
      'engine',
      "Lucene's answers",
      'first ms',
      'warm ms',
      'we are ahead in',
      'first ratio',
      'typical ratio',
      'warm ratio',
    ],
    rows: rows.map((row) => [
      row.label,
      row.agreement === undefined ? '–' : `${row.agreement.same} of ${row.agreement.of}`,
      writtenSpread(spread(row.first)),
      writtenSpread(spread(row.warm)),
      row.name === OURS ? '–' : `${row.ahead} of ${row.asked.length}`,
      writtenRatio(row.firstRatio),
      writtenRatio(row.typical),
      writtenRatio(row.ratio),
    ]),
  };
}

function detailsTable(
  variants: readonly Variant[],
  all: ReadonlyMap<string, Rounds>,
  compared: ReadonlyMap<string, readonly Compared[] | undefined>,
): Table {
  const measured = variants.filter(({ name }) => (all.get(name)?.length ?? 0) > 0);
  const cell = ({ name }: Variant, query: number): string => {
    const differs = compared.get(name)?.find((one) => one.query === query)?.differs;
    return `${written(timeOf(all.get(name) ?? [], query))}${differs === undefined ? '' : ' ≠'}`;
  };
  return {
    columns: ['query', 'total', ...measured.map(({ label }) => `${label} ms`)],
    rows: queries.map(({ name }, query) => [
      name,
      String(all.get(OURS)?.[0]?.get(query)?.total ?? '–'),
      ...measured.map((variant) => cell(variant, query)),
    ]),
  };
}

/** How ours are Lucene's answers. */
function agreementNote(compared: readonly Compared[]): string {
  const wrong = compared.filter(({ differs }) => differs !== undefined);
  const furthest = Math.max(...compared.map((one) => one.furthest));
  const list = wrong.map(({ query, differs }) => `${queries[query]?.name} (${differs})`).join(', ');
  return (
    `Of our answers ${compared.length - wrong.length} of ${compared.length} are Lucene's: total and set equal, ` +
    `scores within ${written(TOLERANCE * 100)} %, order equal where scores differ by more. ` +
    `Of all ${written(sum(compared.map(({ total }) => total)))} hits the score that is furthest off is so by ` +
    `${written(furthest * 100)} %.${wrong.length === 0 ? '' : ` Not these: ${list}.`}`
  );
}

/** Where our time goes, of a pass over all queries. */
function partsNote(rounds: Rounds, which: 'first' | 'warm'): string {
  const figures = rounds.flatMap((round) => [...round.values()]);
  const part = (name: string): number => sum(figures.map((figure) => figure[`${which}Parts`][name] ?? 0));
  const whole = sum(['sql', 'passing', 'own', 'http'].map(part));
  const share = (name: string): string => `${Math.round((part(name) / whole) * 100)} %`;
  return (
    `Where our ${which} time goes: SQL ${share('sql')}, between database and Worker ${share('passing')}, ` +
    `reading and combining in the Worker ${share('own')}, HTTP ${share('http')}; ` +
    `${written(part('calls') / figures.length)} calls of the database a query.`
  );
}

/** Tells what came out. @param inspected - the {@link Comparison} */
export function report(
  variants: readonly Variant[],
  outcomes: ReadonlyMap<string, Outcome>,
  { details }: Settings,
  inspected: unknown,
): Report {
  const comparison = comparisonSchema.parse(inspected);
  const all = new Map(variants.map(({ name }) => [name, roundsOf(outcomes.get(name))]));
  const compared = new Map(variants.map(({ name }) => [name, comparison[name]]));
  const ours = all.get(OURS) ?? [];
  const rows = variants.flatMap((variant) => {
    const rounds = all.get(variant.name) ?? [];
    return rounds.length === 0 ? [] : [rowOf(variant, rounds, ours, compared.get(variant.name))];
  });
  const own = compared.get(OURS);
  const notes = [
    'Ratios: how many times our time it takes; above 1 we are ahead. First: each query for the first time in its process. Typical: the geometric mean of the ratios of single queries.',
    ...(own === undefined ? [] : [agreementNote(own)]),
    ...(ours.length === 0 ? [] : [partsNote(ours, 'first'), partsNote(ours, 'warm')]),
  ];
  const tables = [mainTable(rows), ...(details ? [detailsTable(variants, all, compared)] : [])];
  return { tables, notes, data: { rows, compared: Object.fromEntries(compared) } };
}
