-- When a spreadsheet picked up the rows of a run, or a push delivered them.
ALTER TABLE table_runs ADD COLUMN delivered_at INTEGER;
