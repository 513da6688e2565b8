// The rows of data requests: result files become pages of lines in R2, with an index of them in D1.

export { deleteRows, eraseFromRows, idsInRows } from './delete-rows.ts';
export { earlierRecords } from './earlier-records.ts';
export { ingestFile } from './ingest-file.ts';
export { readRecords, readRows, rowCount } from './read-rows.ts';
export type {
  FileReport,
  RecordsPage,
  RecordsQuery,
  Refusal,
  ResultFile,
  RowBucket,
  RowStore,
  RowsPage,
  RowsQuery,
} from './types.ts';
export { refusals } from './types.ts';
