// What a test and the process that runs its Workers say to each other. That process is started often: what takes long to
// load is done before, in the test's own.
import type { convertV4MiniflareOptions } from 'miniflare';
import * as z from 'zod';

/** The Workers in front; each is an isolate of its own. */
export const FRONTS = ['one', 'two'] as const;
/** The Worker that holds the objects. */
export const OBJECTS = 'objects';

/** What the platform is started with. */
export type PlatformOptions = Parameters<typeof convertV4MiniflareOptions>[0];

/** How Workers are started. */
export const startSchema = z.object({
  platform: z.custom<PlatformOptions>((options) => typeof options === 'object' && options !== null),
  /** Of the database, in order. */
  migrations: z.array(z.object({ name: z.string(), statements: z.array(z.string()) })),
});
export type Start = z.infer<typeof startSchema>;

/** Where the Workers answer: two of the gateway, and the one that holds the objects. */
export const addressesSchema = z.object({ one: z.url(), two: z.url(), objects: z.url() });
export type Addresses = z.infer<typeof addressesSchema>;

/** What the process says once: that the Workers answer, or why not. */
export const replySchema = z.union([z.object({ ready: addressesSchema }), z.object({ failed: z.string() })]);
export type Reply = z.infer<typeof replySchema>;
