CREATE TABLE `enriched_keys` (
	`team_id` text NOT NULL,
	`enrichment_id` text NOT NULL,
	`key` text NOT NULL,
	`is_written` integer NOT NULL,
	PRIMARY KEY(`team_id`, `enrichment_id`, `key`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `enrichments` (
	`id` text NOT NULL,
	`team_id` text NOT NULL,
	`token_id` text NOT NULL,
	`title` text NOT NULL,
	`family` text NOT NULL,
	`by` text NOT NULL,
	`spreadsheet` text NOT NULL,
	`key_heading` text NOT NULL,
	`columns` text NOT NULL,
	`closed` integer NOT NULL,
	`every` text NOT NULL,
	`max_credits` integer NOT NULL,
	`month_credits` integer NOT NULL,
	`month` integer NOT NULL,
	`month_spent` integer DEFAULT 0 NOT NULL,
	`state` text NOT NULL,
	`problem` text,
	`last_at` integer,
	`last_rows` integer DEFAULT 0 NOT NULL,
	`last_credits` integer DEFAULT 0 NOT NULL,
	`next_at` integer,
	`leased_until` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`team_id`, `id`),
	CONSTRAINT "enrichments_state" CHECK("enrichments"."state" IN ('on', 'paused', 'stopped')),
	CONSTRAINT "enrichments_every" CHECK("enrichments"."every" IN ('hour', 'day', 'week'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `enrichments_due` ON `enrichments` (`next_at`) WHERE "enrichments"."next_at" is not null;--> statement-breakpoint
CREATE TABLE `table_reports` (
	`team_id` text NOT NULL,
	`table_id` text NOT NULL,
	`signals` integer NOT NULL,
	`snapshots` integer NOT NULL,
	`changes_sheet_id` integer,
	`copies` text NOT NULL,
	PRIMARY KEY(`team_id`, `table_id`)
) STRICT;
