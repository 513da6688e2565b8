ALTER TABLE `enriched_keys` ADD `fetched_at` integer;--> statement-breakpoint
ALTER TABLE `enriched_keys` ADD `cells` text;--> statement-breakpoint
ALTER TABLE `enrichments` ADD `refresh_days` integer;--> statement-breakpoint
ALTER TABLE `enrichments` ADD `last_changes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `enrichments` ADD `changes_sheet_id` integer;