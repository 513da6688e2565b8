-- Records that come from the cache: how many were found there, and how many of them are rows by now (null until all are).
ALTER TABLE requests ADD COLUMN cached INTEGER NOT NULL DEFAULT 0;
ALTER TABLE requests ADD COLUMN cached_rows INTEGER;
-- The provider whose cache it reads and fills; null for requests of earlier versions, which do neither.
ALTER TABLE requests ADD COLUMN identity TEXT;
-- Behind which row its delivered records are still to be cached; null where there is nothing to cache.
ALTER TABLE requests ADD COLUMN cache_cursor TEXT;
