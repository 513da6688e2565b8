// The rows of data requests: pages of lines in R2, indexed in D1.
export { deleteRows, eraseRecord, findRecordIds, listRecordKeys, listRecordOrders } from './delete-rows.ts';
export { ingestFile } from './ingest-file.ts';
export { FileChangedError } from './page-writer.ts';
export {
  countRows,
  findEarlierRecords,
  getRowsFamily,
  listRecordIds,
  readRecords,
  readRows,
} from './read-rows.ts';
export { countAllRows, scanRows } from './scan-rows.ts';
export { stripRows } from './strip-rows.ts';
export type {
  FileReport,
  IngestProgress,
  RowStore,
} from './types.ts';
export { ingestProgressSchema } from './types.ts';
