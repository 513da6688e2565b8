CREATE TABLE `keys_on_order` (
	`identity` text NOT NULL,
	`family` text NOT NULL,
	`pseudonym` text NOT NULL,
	`request_id` text NOT NULL,
	PRIMARY KEY(`identity`, `family`, `pseudonym`),
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `keys_on_order_by_request` ON `keys_on_order` (`request_id`);