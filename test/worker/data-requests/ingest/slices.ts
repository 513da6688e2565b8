// Ingests result files in slices, each in its own invocation.
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { FileReport, IngestProgress } from '../../../../worker/data-requests/ingest/index.ts';
import { getRowStore } from '../../../../worker/data-requests/state-machine.ts';
import { StrictRuntime } from '../../strict/index.ts';
import { type IngestOptions, ingestRecords } from './files.ts';

export const buildRecords = (ids: readonly number[]) => ids.map((id) => ({ id, name: `name ${id}` }));

/** Ingests a file in slices. @returns its report and the calls of each slice */
export async function ingestInSlices(
  records: readonly object[],
  maxCalls: number,
  options: Pick<IngestOptions, 'requestId' | 'fileIndex'>,
): Promise<{ report: FileReport; calls: number[] }> {
  const calls: number[] = [];
  for (let progress: IngestProgress | null = null; ; ) {
    const runtime = new StrictRuntime({ clock: () => 0 }).wrapBindings(env);
    const report: FileReport = await ingestRecords(records, {
      ...options,
      target: getRowStore(runtime.env),
      slice: { progress, maxCalls },
    });
    expect(runtime.listViolations()).toEqual([]);
    calls.push(runtime.countCalls());
    if (report.next === null) return { report, calls };
    progress = report.next;
  }
}
