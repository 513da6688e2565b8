// The rows of data requests: pages of lines in R2, indexed in D1.
export { deleteRows, eraseRecord } from './delete-rows.ts';
export { ingestFile } from './ingest-file.ts';
export { FileChangedError } from './page-writer.ts';
export { findEarlierRecords, readRecords, readRows } from './read-rows.ts';
export { RowIndex } from './row-index.ts';
export { scanRows } from './scan-rows.ts';
export { stripRows } from './strip-rows.ts';
export type { FileReport, IngestProgress, RowStore } from './types.ts';
export { ingestProgressSchema } from './types.ts';
