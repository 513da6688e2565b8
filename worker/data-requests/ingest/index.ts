// The rows of data requests: pages of lines in R2, indexed in D1.
export { deleteRows, eraseRecord, findRecordIds, listRecordKeys } from './delete-rows.ts';
export { findEarlierRecords } from './earlier-records.ts';
export { ingestFile } from './ingest-file.ts';
export { countRows, listRecordIds, readRecords, readRows } from './read-rows.ts';
export type {
  FileReport,
  RecordsPage,
  RecordsQuery,
  RejectionReason,
  ResultFile,
  RowBucket,
  RowStore,
  RowsPage,
  RowsQuery,
} from './types.ts';
export { rejectionReasons } from './types.ts';
