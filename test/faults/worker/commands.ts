// Commands that tests send to the Worker with the objects.
import * as z from 'zod';

const objects = z.enum(['SINGLE_FLIGHT', 'LEDGER', 'PROVIDER_THROTTLE']);
/** Binding of a Durable Object class. */
export type ObjectBinding = z.infer<typeof objects>;

export const commandSchema = z.discriminatedUnion('run', [
  z.object({ run: z.literal('sql'), statement: z.string(), values: z.array(z.unknown()).default([]) }),
  // Adds a team with a token.
  z.object({
    run: z.literal('team'),
    id: z.string(),
    token: z.string(),
    caps: z.object({ day: z.number().nullable(), month: z.number().nullable() }),
  }),
  // Ends all live objects of a class.
  z.object({ run: z.literal('evict'), object: objects }),
  // Dumps the storage of all live objects of a class, of the database or of KV.
  z.object({ run: z.literal('dump_objects'), object: objects }),
  z.object({ run: z.literal('dump_sql') }),
  z.object({ run: z.literal('dump_kv') }),
  // Enqueues due jobs.
  z.object({ run: z.literal('sweep'), after_start: z.boolean() }),
]);
export type Command = z.infer<typeof commandSchema>;
/** A command in the form that a test sends. */
export type CommandBody = z.input<typeof commandSchema>;
