-- Grows whenever a record is put in or changed.
CREATE TABLE records_version (version INTEGER NOT NULL) STRICT;
INSERT INTO records_version (version) VALUES (0);
