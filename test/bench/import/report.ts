// What the figures of the import bench say: pace and memory on the way, each over those at the first tenth.
import * as z from 'zod';
import type { Outcome, Report, Variant } from '../harness/bench.ts';
import { median, type Spread, spread, written, writtenRatio, writtenSpread } from '../harness/numbers.ts';
import { type Import, importSchema } from './instance.ts';

const MEGABYTE = 2 ** 20;
const TENTHS = [1, 5, 10];

interface Stage {
  records: number;
  seconds: Spread;
  /** Records a second since the stage before. */
  pace: Spread;
  /** Megabytes; undefined where the system can't say. */
  memory: Spread | undefined;
}

type Sample = Import['samples'][number];

/** The first sample of an import at which so many records were read. */
function sampleAt({ samples }: Import, records: number): Sample {
  const found = samples.find((sample) => sample.records >= records);
  if (found === undefined) throw new RangeError(`no sample at ${records} records`);
  return found;
}

function spreadOf(values: readonly (number | undefined)[]): Spread | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : spread(known);
}

function inMegabytes(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : bytes / MEGABYTE;
}

function stagesOf(imports: readonly Import[], count: number): Stage[] {
  const start: Sample = { records: 0, seconds: 0 };
  return TENTHS.map((tenths, at) => {
    const ends = imports.map((one) => sampleAt(one, (count * tenths) / 10));
    const paces = imports.map((one, round) => {
      const before = at === 0 ? start : sampleAt(one, (count * (TENTHS[at - 1] ?? 0)) / 10);
      const end = ends[round] ?? start;
      return (end.records - before.records) / (end.seconds - before.seconds);
    });
    return {
      records: median(ends.map(({ records }) => records)),
      seconds: spread(ends.map(({ seconds }) => seconds)),
      pace: spread(paces),
      memory: spreadOf(ends.map(({ memory }) => inMegabytes(memory))),
    };
  });
}

function row(label: string, stage: Stage, first: Stage): string[] {
  const { records, seconds, pace, memory } = stage;
  return [
    label,
    written(records),
    writtenSpread(seconds),
    writtenSpread(pace),
    memory === undefined ? '–' : writtenSpread(memory),
    writtenRatio(pace.median / first.pace.median),
    writtenRatio((memory?.median ?? Number.NaN) / (first.memory?.median ?? Number.NaN)),
  ];
}

function memoryNote(label: string, imports: readonly Import[]): string[] {
  const idle = spreadOf(imports.map((one) => inMegabytes(one.idle)));
  const peak = spreadOf(imports.flatMap(({ samples }) => samples.map(({ memory }) => inMegabytes(memory))));
  if (idle === undefined || peak === undefined) return [];
  return [
    `${label}: workerd's resident memory was ${writtenSpread(idle)} MB before, at most ${written(peak.max)} MB on the way.`,
  ];
}

/** Tells what came out. */
export function report(
  variants: readonly Variant[],
  outcomes: ReadonlyMap<string, Outcome>,
  count: number,
): Report {
  const measured = variants.flatMap(({ name, label }) => {
    const outcome = outcomes.get(name);
    if (outcome?.state !== 'measured') return [];
    const imports = z.array(importSchema).parse(outcome.rounds);
    return [{ label, imports, stages: stagesOf(imports, count) }];
  });
  return {
    tables: [
      {
        columns: [
          'instance',
          'records',
          'seconds',
          'records a second',
          'workerd MB',
          'pace ratio',
          'memory ratio',
        ],
        rows: measured.flatMap(({ label, stages }) =>
          stages.map((stage) => row(label, stage, stages[0] ?? stage)),
        ),
      },
    ],
    notes: [
      'Ratios: the pace since the row above, and the memory, over those of the first tenth; 1 is flat.',
      ...measured.flatMap(({ label, imports }) => memoryNote(label, imports)),
    ],
    data: measured.map(({ label, stages }) => ({ label, stages })),
  };
}
