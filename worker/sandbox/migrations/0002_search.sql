-- The index of the sandbox search engine: docs/decisions/0005-sandbox-search-index.md.

CREATE TABLE search_indexes (
  -- Never used again, so that what is remembered of a deleted index can't be taken for another's.
  code INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  mapping TEXT NOT NULL,
  -- Grows by one with every write.
  version INTEGER NOT NULL
) STRICT;

-- Fields and nested objects by a short number, with what scores are computed of.
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
  -- Records that were removed or replaced, packed, and how many they are.
  dead TEXT NOT NULL,
  dead_count INTEGER NOT NULL,
  -- dead_count when the segment's lists were last rid of them.
  swept INTEGER NOT NULL
) STRICT;

CREATE INDEX search_segments_by_index ON search_segments (index_code, segment);

CREATE TABLE search_records (
  index_code INTEGER NOT NULL REFERENCES search_indexes (code),
  id TEXT NOT NULL,
  segment INTEGER NOT NULL,
  doc INTEGER NOT NULL,
  -- What the record adds to search_fields, packed: field, documents, terms and so on.
  lengths TEXT NOT NULL,
  PRIMARY KEY (index_code, id)
) STRICT, WITHOUT ROWID;

-- In which documents of a segment a term is, how often, in how long a text, and at which places: packed.
CREATE TABLE search_postings (
  segment INTEGER NOT NULL,
  field INTEGER NOT NULL,
  term TEXT NOT NULL,
  docs TEXT NOT NULL,
  positions TEXT NOT NULL,
  PRIMARY KEY (segment, field, term)
) STRICT, WITHOUT ROWID;

-- Every term once, for patterns to be tried on.
CREATE TABLE search_terms (
  field INTEGER NOT NULL,
  term TEXT NOT NULL,
  PRIMARY KEY (field, term)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER search_terms_of_postings AFTER INSERT ON search_postings BEGIN
  INSERT OR IGNORE INTO search_terms (field, term) VALUES (new.field, new.term);
END;

-- Of a segment: the documents that have a field, with their numbers; the parents of nested objects; the records' ids.
CREATE TABLE search_columns (
  segment INTEGER NOT NULL,
  field INTEGER NOT NULL,
  docs TEXT NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (segment, field)
) STRICT;
