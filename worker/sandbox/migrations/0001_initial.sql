-- Tables of the sandbox: records, their keys, the search index and snapshots of previews.

CREATE TABLE records (
  family TEXT NOT NULL,
  id INTEGER NOT NULL,
  data TEXT NOT NULL,
  -- SHA-256 of data: an import that changes nothing writes nothing.
  hash TEXT NOT NULL,
  PRIMARY KEY (family, id)
) STRICT, WITHOUT ROWID;

-- The other keys that lead to a record; a value may lead to several.
CREATE TABLE record_keys (
  family TEXT NOT NULL,
  kind TEXT NOT NULL,
  value TEXT NOT NULL,
  id INTEGER NOT NULL,
  PRIMARY KEY (family, kind, value, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX record_keys_by_record ON record_keys (family, id);

-- Grows with each record that is added or changed.
CREATE TABLE records_version (version INTEGER NOT NULL) STRICT;
INSERT INTO records_version (version) VALUES (0);

-- The index of the search engine: docs/decisions/0005-sandbox-search-index.md.
CREATE TABLE search_indexes (
  -- Never used again, so that cached data of a deleted index can't be taken for that of another one.
  code INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  mapping TEXT NOT NULL,
  -- Grows by one with every write.
  version INTEGER NOT NULL
) STRICT;

-- Fields and nested objects by a short number, with the counts that scores are computed from.
CREATE TABLE search_fields (
  code INTEGER PRIMARY KEY,
  index_code INTEGER NOT NULL REFERENCES search_indexes (code),
  path TEXT NOT NULL,
  -- Documents that have a term in the field, and the number of their terms.
  docs INTEGER NOT NULL DEFAULT 0,
  tokens INTEGER NOT NULL DEFAULT 0,
  UNIQUE (index_code, path)
) STRICT;

-- A segment holds up to some thousands of records with all their nested objects.
CREATE TABLE search_segments (
  segment INTEGER PRIMARY KEY,
  index_code INTEGER NOT NULL REFERENCES search_indexes (code),
  -- Documents by space, as JSON: {"0": records, "<code of a nested object>": such objects}.
  sizes TEXT NOT NULL,
  -- Removed or replaced records, packed, and their number.
  dead TEXT NOT NULL,
  dead_count INTEGER NOT NULL
) STRICT;

CREATE INDEX search_segments_by_index ON search_segments (index_code, segment);

CREATE TABLE search_records (
  index_code INTEGER NOT NULL REFERENCES search_indexes (code),
  id TEXT NOT NULL,
  segment INTEGER NOT NULL,
  doc INTEGER NOT NULL,
  -- The record's part of search_fields, packed: field, documents, terms and so on.
  lengths TEXT NOT NULL,
  PRIMARY KEY (index_code, id)
) STRICT, WITHOUT ROWID;

-- Documents of a segment that have a term: how often, in how long a text, and at which positions, packed.
CREATE TABLE search_postings (
  segment INTEGER NOT NULL,
  field INTEGER NOT NULL,
  term TEXT NOT NULL,
  docs TEXT NOT NULL,
  positions TEXT NOT NULL,
  PRIMARY KEY (segment, field, term)
) STRICT, WITHOUT ROWID;

-- Of a segment: the documents that have a field, with their numbers; the parents of nested objects; the ids of records.
CREATE TABLE search_columns (
  segment INTEGER NOT NULL,
  field INTEGER NOT NULL,
  docs TEXT NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (segment, field)
) STRICT;

-- The ranking of a preview at the time of its first page.
CREATE TABLE snapshots (
  token TEXT PRIMARY KEY,
  -- Digest of the path and body that it answers.
  asked TEXT NOT NULL,
  -- JSON: [[id, score], …]
  ranking TEXT NOT NULL,
  -- Milliseconds since 1970.
  kept_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
