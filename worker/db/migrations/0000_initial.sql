CREATE TABLE `alert_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`alert_id` text NOT NULL,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `alert_messages_alert_id_subject_unique` ON `alert_messages` (`alert_id`,`subject`);--> statement-breakpoint
CREATE TABLE `alerts` (
	`id` text PRIMARY KEY NOT NULL,
	`team_id` text NOT NULL,
	`url` text NOT NULL,
	`kinds` text NOT NULL,
	`budget_percents` text DEFAULT '[80,100]' NOT NULL,
	`created_at` integer NOT NULL,
	`last_at` integer,
	`last_error` text,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `alerts_by_team` ON `alerts` (`team_id`);--> statement-breakpoint
CREATE TABLE `admin_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`revoked_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `admin_tokens_hash_unique` ON `admin_tokens` (`hash`);--> statement-breakpoint
CREATE TABLE `console_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`email` text,
	`credential` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`ended_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `console_sessions_hash_unique` ON `console_sessions` (`hash`);--> statement-breakpoint
CREATE TABLE `claimed_keys` (
	`identity` text NOT NULL,
	`family` text NOT NULL,
	`pseudonym` text NOT NULL,
	`request_id` text NOT NULL,
	PRIMARY KEY(`identity`, `family`, `pseudonym`),
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `claimed_keys_by_request` ON `claimed_keys` (`request_id`);--> statement-breakpoint
CREATE TABLE `request_files` (
	`request_id` text NOT NULL,
	`file_index` integer NOT NULL,
	`name` text NOT NULL,
	`rows` integer,
	`progress` text,
	`records` integer,
	`duplicates` integer DEFAULT 0 NOT NULL,
	`bytes` integer,
	`withheld` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`request_id`, `file_index`),
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `request_queries` (
	`request_id` text PRIMARY KEY NOT NULL,
	`text` text,
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `request_tickets` (
	`hash` text PRIMARY KEY NOT NULL,
	`request_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `request_webhooks` (
	`request_id` text NOT NULL,
	`digest` text NOT NULL,
	`at` integer NOT NULL,
	`body` text NOT NULL,
	PRIMARY KEY(`request_id`, `digest`),
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `requests` (
	`id` text PRIMARY KEY NOT NULL,
	`team_id` text NOT NULL,
	`token_id` text NOT NULL,
	`family` text NOT NULL,
	`kind` text NOT NULL,
	`idempotency_key` text,
	`order_hash` text NOT NULL,
	`columns` text,
	`origin` text NOT NULL,
	`webhook_url` text,
	`requested` integer NOT NULL,
	`reserved` integer NOT NULL,
	`phase` text NOT NULL,
	`cancel_requested` integer DEFAULT false NOT NULL,
	`provider_id` text,
	`webhook_hash` text,
	`failure` text,
	`rows` integer DEFAULT 0 NOT NULL,
	`charged` integer,
	`disputed` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`webhook_attempts` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`ended_at` integer,
	`cleared_at` integer,
	`cached` integer DEFAULT 0 NOT NULL,
	`cached_rows` integer,
	`cached_slices` integer DEFAULT 0 NOT NULL,
	`identity` text,
	`cache_cursor` text,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "requests_phase" CHECK("requests"."phase" IN ('reserving', 'reserved', 'sending', 'submitted', 'running', 'ingesting', 'ready', 'failed', 'cancelled', 'unclear'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `requests_by_team` ON `requests` (`team_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `requests_by_provider_id` ON `requests` (`provider_id`) WHERE "requests"."provider_id" is not null;--> statement-breakpoint
CREATE INDEX `requests_by_creation` ON `requests` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `requests_running` ON `requests` (`created_at`) WHERE phase IN ('reserved', 'sending', 'submitted', 'running');--> statement-breakpoint
CREATE INDEX `requests_unclear` ON `requests` (`ended_at`) WHERE phase = 'unclear';--> statement-breakpoint
CREATE INDEX `requests_disputed` ON `requests` (`id`) WHERE disputed > 0;--> statement-breakpoint
CREATE INDEX `requests_with_rows` ON `requests` (`created_at`) WHERE "requests"."cleared_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX `requests_team_id_idempotency_key_unique` ON `requests` (`team_id`,`idempotency_key`);--> statement-breakpoint
CREATE TABLE `webhook_secrets` (
	`team_id` text PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`created_at` integer NOT NULL,
	`previous_secret` text,
	`previous_until` integer,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `enriched_keys` (
	`team_id` text NOT NULL,
	`enrichment_id` text NOT NULL,
	`key` text NOT NULL,
	`is_written` integer NOT NULL,
	`fetched_at` integer,
	`cells` text,
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
	`key_column` text NOT NULL,
	`columns` text NOT NULL,
	`push` integer NOT NULL,
	`every` text NOT NULL,
	`max_credits` integer NOT NULL,
	`month_credits` integer NOT NULL,
	`state` text NOT NULL,
	`problem` text,
	`last_at` integer,
	`last_rows` integer DEFAULT 0 NOT NULL,
	`last_credits` integer DEFAULT 0 NOT NULL,
	`refresh_days` integer,
	`query` text,
	`alert_at` integer,
	`last_changes` integer DEFAULT 0 NOT NULL,
	`changes_sheet_id` integer,
	`key_count` integer DEFAULT 0 NOT NULL,
	`next_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`team_id`, `id`),
	CONSTRAINT "enrichments_state" CHECK("enrichments"."state" IN ('on', 'paused', 'stopped')),
	CONSTRAINT "enrichments_every" CHECK("enrichments"."every" IN ('hour', 'day', 'week'))
) STRICT;
--> statement-breakpoint
CREATE TABLE `table_reports` (
	`team_id` text NOT NULL,
	`table_id` text NOT NULL,
	`changes` integer NOT NULL,
	`snapshots` integer NOT NULL,
	`assistants` integer DEFAULT false NOT NULL,
	`changes_sheet_id` integer,
	`copies` text NOT NULL,
	PRIMARY KEY(`team_id`, `table_id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `erased_keys` (
	`pseudonym` text PRIMARY KEY NOT NULL,
	`erasure_id` text NOT NULL,
	FOREIGN KEY (`erasure_id`) REFERENCES `erasures`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `erasures` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`subject` text NOT NULL,
	`request` text,
	`removed` text NOT NULL,
	`complete_at` integer,
	`allowed_at` integer,
	`work` text
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `erasures_by_completion` ON `erasures` (`complete_at`);--> statement-breakpoint
CREATE INDEX `erasures_unfinished` ON `erasures` (`at`) WHERE "erasures"."work" is not null;--> statement-breakpoint
CREATE TABLE `dead_letters` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`team_id` text NOT NULL,
	`request_id` text NOT NULL,
	`body` text NOT NULL,
	`code` text NOT NULL,
	`error` text NOT NULL,
	`replayed_at` integer,
	`dismissed_at` integer,
	CONSTRAINT "dead_letters_kind" CHECK("dead_letters"."kind" IN ('webhook', 'alert', 'push'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `dead_letters_by_time` ON `dead_letters` (`at`,`id`);--> statement-breakpoint
CREATE TABLE `jobs` (
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`concurrency_key` text,
	`created_at` integer NOT NULL,
	`due_at` integer,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`is_woken` integer DEFAULT false NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`kind`, `id`),
	CONSTRAINT "jobs_kind" CHECK("jobs"."kind" IN ('data_request', 'schedule', 'enrichment', 'push', 'alert', 'erasure', 'housekeeping'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `jobs_due` ON `jobs` (`due_at`) WHERE "jobs"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `jobs_by_concurrency_key` ON `jobs` (`concurrency_key`,`created_at`,`id`) WHERE "jobs"."concurrency_key" is not null;--> statement-breakpoint
CREATE TABLE `oauth_entries` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`expires_at` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `oauth_entries_by_expiry` ON `oauth_entries` (`expires_at`);--> statement-breakpoint
CREATE TABLE `cron_runs` (
	`name` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`failing` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `operator_alerts` (
	`kind` text PRIMARY KEY NOT NULL,
	`since` integer,
	`notified_at` integer NOT NULL,
	`level` integer DEFAULT 1 NOT NULL,
	`pending` text,
	`last_error` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer
) STRICT;
--> statement-breakpoint
CREATE TABLE `restores` (
	`id` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL,
	`started_at` integer NOT NULL,
	`step` text,
	`after` text,
	`counts` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `domains` (
	`domain` text PRIMARY KEY NOT NULL,
	`audience` text NOT NULL,
	`team_id` text,
	`families` text,
	`operations` text,
	`rate_per_minute` integer NOT NULL,
	`day_cap` integer,
	`month_cap` integer,
	`token_days` integer NOT NULL,
	`created_at` integer NOT NULL,
	`version` text NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `domains_by_team` ON `domains` (`team_id`);--> statement-breakpoint
CREATE TABLE `people` (
	`id` text PRIMARY KEY NOT NULL,
	`domain` text NOT NULL,
	`email` text,
	`token_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`revoked_at` integer,
	`by_rule` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `people_by_domain` ON `people` (`domain`);--> statement-breakpoint
CREATE INDEX `people_by_created` ON `people` (`created_at`);--> statement-breakpoint
CREATE INDEX `people_by_last_seen` ON `people` (`last_seen_at`);--> statement-breakpoint
CREATE TABLE `team_rules` (
	`id` text PRIMARY KEY NOT NULL,
	`match` text NOT NULL,
	`team_id` text NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `team_rules_by_team` ON `team_rules` (`team_id`);--> statement-breakpoint
CREATE TABLE `changes` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` text NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`run` text DEFAULT '' NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "changes_kind" CHECK("changes"."kind" IN ('request', 'table'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `changes_by_team` ON `changes` (`team_id`,`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `changes_team_id_kind_subject_run_unique` ON `changes` (`team_id`,`kind`,`subject`,`run`);--> statement-breakpoint
CREATE TABLE `pushes` (
	`id` text PRIMARY KEY NOT NULL,
	`team_id` text NOT NULL,
	`table_id` text NOT NULL,
	`rows_id` text NOT NULL,
	`state` text NOT NULL,
	`after` text,
	`rows_written` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`problem` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "pushes_state" CHECK("pushes"."state" IN ('waiting', 'done', 'failed'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `pushes_team_id_table_id_rows_id_unique` ON `pushes` (`team_id`,`table_id`,`rows_id`);--> statement-breakpoint
CREATE TABLE `spreadsheets` (
	`team_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`seen_at` integer NOT NULL,
	PRIMARY KEY(`team_id`, `id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `table_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`team_id` text NOT NULL,
	`table_id` text NOT NULL,
	`state` text NOT NULL,
	`since` integer NOT NULL,
	`request_id` text,
	`pages` integer,
	`page` integer DEFAULT 0 NOT NULL,
	`snapshot` text,
	`rows` integer DEFAULT 0 NOT NULL,
	`credits` integer DEFAULT 0 NOT NULL,
	`problem` text,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	`cleared_at` integer,
	`delivered_at` integer,
	CONSTRAINT "table_runs_state" CHECK("table_runs"."state" IN ('running', 'done', 'failed'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `table_runs_by_table` ON `table_runs` (`team_id`,`table_id`,`started_at`);--> statement-breakpoint
CREATE INDEX `table_runs_by_request` ON `table_runs` (`request_id`) WHERE "table_runs"."request_id" is not null;--> statement-breakpoint
CREATE INDEX `table_runs_with_rows` ON `table_runs` (`started_at`) WHERE "table_runs"."cleared_at" is null;--> statement-breakpoint
CREATE INDEX `table_runs_cleared` ON `table_runs` (`cleared_at`) WHERE "table_runs"."cleared_at" is not null;--> statement-breakpoint
CREATE TABLE `tables` (
	`id` text NOT NULL,
	`team_id` text NOT NULL,
	`token_id` text NOT NULL,
	`title` text NOT NULL,
	`family` text NOT NULL,
	`spreadsheet_id` text NOT NULL,
	`sheet_id` integer NOT NULL,
	`columns` text NOT NULL,
	`source` text NOT NULL,
	`request_id` text,
	`mode` text NOT NULL,
	`push` integer NOT NULL,
	`awaits_headings` integer NOT NULL,
	`as_of` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`team_id`, `id`),
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "tables_mode" CHECK("tables"."mode" IN ('append', 'update'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `tables_by_request` ON `tables` (`request_id`) WHERE "tables"."request_id" is not null;--> statement-breakpoint
CREATE TABLE `request_rows` (
	`request_id` text NOT NULL,
	`record_id` text NOT NULL,
	`family` text NOT NULL,
	`file` integer NOT NULL,
	`page` integer NOT NULL,
	`start` integer NOT NULL,
	`length` integer NOT NULL,
	`keys` text NOT NULL,
	PRIMARY KEY(`request_id`, `record_id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `request_rows_in_order` ON `request_rows` (`request_id`,`file`,`page`,`start`);--> statement-breakpoint
CREATE INDEX `request_rows_by_record` ON `request_rows` (`family`,`record_id`);--> statement-breakpoint
CREATE TABLE `schedules` (
	`team_id` text NOT NULL,
	`table_id` text NOT NULL,
	`token_id` text NOT NULL,
	`every` text NOT NULL,
	`max_credits` integer NOT NULL,
	`query` text,
	`state` text NOT NULL,
	`problem` text,
	`next_at` integer,
	`run_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`team_id`, `table_id`),
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "schedules_every" CHECK("schedules"."every" IN ('hour', 'day', 'week')),
	CONSTRAINT "schedules_state" CHECK("schedules"."state" IN ('on', 'paused', 'stopped'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `runs` (
	`team_id` text NOT NULL,
	`id` text NOT NULL,
	`kind` text NOT NULL,
	`title` text NOT NULL,
	`family` text NOT NULL,
	`rows` integer NOT NULL,
	`failed` integer NOT NULL,
	`credits` integer NOT NULL,
	`saved` integer NOT NULL,
	`started_at` integer NOT NULL,
	`ended_at` integer NOT NULL,
	`state` text NOT NULL,
	`problem` text,
	`received_at` integer NOT NULL,
	PRIMARY KEY(`team_id`, `id`),
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `runs_by_time` ON `runs` (`team_id`,`received_at`);--> statement-breakpoint
CREATE TABLE `searches` (
	`id` text PRIMARY KEY NOT NULL,
	`team_id` text NOT NULL,
	`token_id` text,
	`name` text NOT NULL,
	`folded_name` text NOT NULL,
	`family` text NOT NULL,
	`query` text NOT NULL,
	`sort` text,
	`columns` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`token_id`) REFERENCES `tokens`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `searches_by_owner` ON `searches` (`team_id`,CASE WHEN "token_id" IS NULL THEN '' ELSE "token_id" END,`folded_name`);--> statement-breakpoint
CREATE TABLE `audit` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`admin_token` text,
	`session_id` text,
	`action` text NOT NULL,
	`target` text NOT NULL,
	`detail` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `settings` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `teams` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`background_refresh` integer DEFAULT false NOT NULL,
	`confirm_above_credits` integer DEFAULT 1000,
	`day_cap` integer,
	`month_cap` integer,
	`formula_max_credits` integer DEFAULT 500,
	`deleted_at` integer
) STRICT;
--> statement-breakpoint
CREATE TABLE `tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`team_id` text NOT NULL,
	`hash` text NOT NULL,
	`prefix` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`revoked_at` integer,
	`name` text DEFAULT '' NOT NULL,
	`families` text,
	`operations` text,
	`rate_per_minute` integer DEFAULT 6000 NOT NULL,
	`person_id` text,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `tokens_hash_unique` ON `tokens` (`hash`);--> statement-breakpoint
CREATE INDEX `tokens_by_team` ON `tokens` (`team_id`);--> statement-breakpoint
CREATE TABLE `usage_days` (
	`day` text NOT NULL,
	`team_id` text NOT NULL,
	`token_id` text NOT NULL,
	`spreadsheet` text DEFAULT '' NOT NULL,
	`family` text NOT NULL,
	`operation` text NOT NULL,
	`hit` integer NOT NULL,
	`stale` integer NOT NULL,
	`coalesced` integer NOT NULL,
	`fetched` integer NOT NULL,
	`not_found` integer NOT NULL,
	`failed` integer NOT NULL,
	`credits` integer NOT NULL,
	`saved` integer NOT NULL,
	`latency_ms` integer NOT NULL,
	`formula_spent` integer DEFAULT 0 NOT NULL,
	`formula_saved` integer DEFAULT 0 NOT NULL,
	`table_spent` integer DEFAULT 0 NOT NULL,
	`table_saved` integer DEFAULT 0 NOT NULL,
	`schedule_spent` integer DEFAULT 0 NOT NULL,
	`schedule_saved` integer DEFAULT 0 NOT NULL,
	`assistant_spent` integer DEFAULT 0 NOT NULL,
	`assistant_saved` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`day`, `team_id`, `token_id`, `spreadsheet`, `family`, `operation`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `usage_hours` (
	`hour` integer NOT NULL,
	`team_id` text NOT NULL,
	`calls` integer NOT NULL,
	`failed` integer NOT NULL,
	`latency_ms` integer NOT NULL,
	`within_1_ms` integer NOT NULL,
	`within_3_ms` integer NOT NULL,
	`within_10_ms` integer NOT NULL,
	`within_30_ms` integer NOT NULL,
	`within_100_ms` integer NOT NULL,
	`within_300_ms` integer NOT NULL,
	`within_1_s` integer NOT NULL,
	`within_3_s` integer NOT NULL,
	`within_10_s` integer NOT NULL,
	`within_30_s` integer NOT NULL,
	`slower` integer NOT NULL,
	PRIMARY KEY(`hour`, `team_id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `usage_hours_by_team` ON `usage_hours` (`team_id`,`hour`);