// The commands that a test sends to a Worker with the gateway's bindings.
import * as z from 'zod';

const objects = z.enum(['SINGLE_FLIGHT', 'LEDGER', 'PROVIDER_THROTTLE', 'PROBE']);
/** A binding of objects that can be evicted. */
export type ObjectBinding = z.infer<typeof objects>;

const caps = z.object({ day: z.number().nullable(), month: z.number().nullable() });

/** A command; what may be left out is filled in. */
export const commandSchema = z.discriminatedUnion('run', [
  z.object({ run: z.literal('kv_get'), key: z.string() }),
  z.object({ run: z.literal('kv_get_many'), keys: z.array(z.string()) }),
  // Every name with what stands there.
  z.object({ run: z.literal('kv_all') }),
  z.object({ run: z.literal('kv_put'), key: z.string(), value: z.string(), ttl_s: z.number().optional() }),
  z.object({ run: z.literal('kv_delete'), key: z.string() }),
  z.object({ run: z.literal('sql'), statement: z.string(), values: z.array(z.unknown()).default([]) }),
  z.object({
    run: z.literal('team'),
    id: z.string(),
    name: z.string(),
    token: z.string(),
    caps: caps.optional(),
    rate_per_minute: z.number().optional(),
  }),
  // Of one object, or of all that live; only the Worker that holds them knows which do.
  z.object({ run: z.literal('evict'), object: objects, name: z.string().optional() }),
  z.object({ run: z.literal('living'), object: objects }),
  // Everything that the living objects of a class have stored, as one text.
  z.object({ run: z.literal('stored'), object: objects }),
  // Everything that the database holds, as one text.
  z.object({ run: z.literal('sql_all') }),
  // The schedule: after a start, or of a minute.
  z.object({ run: z.literal('sweep'), after_start: z.boolean() }),
  z.object({ run: z.literal('probe_wake'), name: z.string(), in_ms: z.number() }),
  z.object({ run: z.literal('probe_work'), name: z.string(), ms: z.number() }),
  z.object({ run: z.literal('probe_notes'), name: z.string() }),
]);
export type Command = z.infer<typeof commandSchema>;
/** A command, as a test sends it. */
export type CommandBody = z.input<typeof commandSchema>;
