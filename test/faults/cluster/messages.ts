// Messages between a test and the process of its Workers. That process starts often, so slow imports belong to the test.
import type { convertV4MiniflareOptions } from 'miniflare';
import * as z from 'zod';

/** Names of the gateway Workers; each has a separate isolate. */
export const FRONTS = ['one', 'two'] as const;
/** Name of the Worker with the objects. */
export const OBJECTS = 'objects';

/** Options of Miniflare. */
export type PlatformOptions = Parameters<typeof convertV4MiniflareOptions>[0];

/** Message that starts the Workers. */
export const startSchema = z.object({
  platform: z.custom<PlatformOptions>((options) => typeof options === 'object' && options !== null),
  /** Migrations of the database, in order. */
  migrations: z.array(z.object({ name: z.string(), statements: z.array(z.string()) })),
});
export type Start = z.infer<typeof startSchema>;

/** URLs of the Workers. */
export const addressesSchema = z.object({ one: z.url(), two: z.url(), objects: z.url() });
export type Addresses = z.infer<typeof addressesSchema>;

/** Reply: the Workers are ready, or have failed. */
export const replySchema = z.union([z.object({ ready: addressesSchema }), z.object({ failed: z.string() })]);
export type Reply = z.infer<typeof replySchema>;
