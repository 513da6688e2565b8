// The rows of data requests: result files become pages of lines in R2, with an index of them in D1.
export { earlierRecords } from './earlier.ts';
export { deleteRows, eraseFromRows, idsInRows } from './erase.ts';
export { ingestFile } from './ingest.ts';
export { readRecords, readRows, rowCount } from './read.ts';
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
