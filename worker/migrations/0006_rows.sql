CREATE TABLE request_rows (
  request_id TEXT NOT NULL,
  record_id TEXT NOT NULL,
  family TEXT NOT NULL,
  file INTEGER NOT NULL,
  page INTEGER NOT NULL,
  start INTEGER NOT NULL,
  length INTEGER NOT NULL,
  keys TEXT NOT NULL,
  PRIMARY KEY (request_id, record_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX request_rows_in_order ON request_rows (request_id, file, page, start);

CREATE INDEX request_rows_by_record ON request_rows (family, record_id);
