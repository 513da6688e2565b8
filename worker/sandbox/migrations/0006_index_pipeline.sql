-- Records were indexed without the service's pipeline (URLs, missing values) until here: they are put in anew.
DELETE FROM search_postings;
DELETE FROM search_columns;
DELETE FROM search_records;
DELETE FROM search_segments;
DELETE FROM search_fields;
DELETE FROM search_indexes;
DELETE FROM record_keys;
DELETE FROM records;
UPDATE records_version SET version = version + 1;
