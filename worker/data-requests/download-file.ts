// Downloads a result file and ingests its next pages.
import type { FileRow, RequestRow } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { learnErasedKeys } from '../gateway/single-flight/client.ts';
import { logError } from '../http/log.ts';
import {
  FileChangedError,
  type FileReport,
  type IngestProgress,
  ingestFile,
  ingestProgressSchema,
} from './ingest/index.ts';
import { DataRequestRepository } from './repository.ts';
import { getRowStore } from './state-machine.ts';

/** Queries and calls of R2 that the pages of one step take: an invocation may make a thousand, and the step makes some more. */
const MAX_PAGE_CALLS = 850;

/** Reads how much of a file is ingested. */
export function parseProgress({ progress }: FileRow): IngestProgress | null {
  return progress === null ? null : ingestProgressSchema.parse(JSON.parse(progress));
}

/**
 * Ingests as many pages of a file as one invocation may, and records how far it came. The file is downloaded from its start,
 * because a compressed one can't be read from the middle.
 * @returns undefined if it could not be downloaded or stored
 */
export async function ingestNextPages(
  env: Env,
  { id, family, identity }: RequestRow,
  file: FileRow,
  fetchFile: () => Promise<Response>,
): Promise<FileReport | undefined> {
  const { fileIndex, name } = file;
  const repository = new DataRequestRepository(env.DB);
  try {
    const response = await fetchFile();
    if (response.status !== 200 || response.body === null) {
      await response.body?.cancel();
      return undefined;
    }
    const report = await ingestFile(
      {
        ...getRowStore(env),
        ...(identity !== null && { learnErased: (learnt) => learnErasedKeys(env, identity, learnt) }),
      },
      { requestId: id, family, fileIndex, fileName: name, body: response.body },
      undefined,
      { progress: parseProgress(file), maxCalls: MAX_PAGE_CALLS },
    );
    if (report.next !== null) await repository.updateProgress(file, report.next);
    return report;
  } catch (error) {
    if (error instanceof FileChangedError) await repository.updateProgress(file, null);
    logError('data_request_file_failed', error, { data_request: id, file: fileIndex });
    return undefined;
  }
}
