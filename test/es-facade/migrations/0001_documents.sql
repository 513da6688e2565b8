-- What the façade keeps beside the search index: mappings as they were given, and documents as they came.

CREATE TABLE es_indexes (
  name TEXT PRIMARY KEY,
  -- JSON: as it was given, and what dynamic mapping added.
  mapping TEXT NOT NULL,
  -- JSON: flat, each name with its `index.`.
  settings TEXT NOT NULL,
  next_seq_no INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE es_documents (
  index_name TEXT NOT NULL REFERENCES es_indexes (name),
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  seq_no INTEGER NOT NULL,
  routing TEXT,
  -- JSON: the fields of which a value was passed over.
  ignored TEXT,
  source TEXT NOT NULL,
  UNIQUE (index_name, id)
) STRICT;
