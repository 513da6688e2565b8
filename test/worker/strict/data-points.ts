// An Analytics Engine dataset with the deployed limits of data points.
import type { Invocation } from './invocation.ts';
import {
  countBytes,
  POINT_BLOB_BYTES,
  POINT_COLUMNS,
  POINT_INDEX_BYTES,
  POINT_INDEXES,
  POINTS,
} from './limits.ts';
import { withOverrides } from './with-overrides.ts';

const sumBytes = (values: readonly unknown[]): number =>
  values.reduce<number>((sum, value) => sum + countBytes(value), 0);

/** Returns why the platform would drop a point; undefined if it would not. */
export function findPointProblem({
  indexes = [],
  blobs = [],
  doubles = [],
}: AnalyticsEngineDataPoint): string | undefined {
  if (indexes.length > POINT_INDEXES) return `${indexes.length} indexes`;
  if (sumBytes(indexes) > POINT_INDEX_BYTES) return `an index of ${sumBytes(indexes)} bytes`;
  if (blobs.length > POINT_COLUMNS) return `${blobs.length} blobs`;
  if (doubles.length > POINT_COLUMNS) return `${doubles.length} doubles`;
  if (sumBytes(blobs) > POINT_BLOB_BYTES) return `blobs of ${sumBytes(blobs)} bytes`;
  return doubles.every(Number.isFinite) ? undefined : 'a double that is no number';
}

/** Wraps a dataset. Writing a point is no operation. @param name - of the binding */
export function strictDataset<T extends object>(dataset: T, name: string, invocation: Invocation): T {
  let points = 0;
  return withOverrides(dataset, name, {
    writeDataPoint: (call, args) => {
      points += 1;
      if (points > POINTS) invocation.refuse('data_point', name, `more than ${POINTS} data points`);
      const [point] = args;
      const problem = typeof point === 'object' && point !== null ? findPointProblem(point) : 'no point';
      if (problem !== undefined) invocation.refuse('data_point', name, `a data point with ${problem}`);
      return call(args);
    },
  });
}
