CREATE TABLE asked_queries (
  request_id TEXT PRIMARY KEY REFERENCES requests (id) ON DELETE CASCADE,
  text TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX requests_with_rows ON requests (created_at) WHERE cleared_at IS NULL;
