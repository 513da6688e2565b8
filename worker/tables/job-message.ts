// The messages of the job queue.
import * as z from 'zod';

/** Kinds of jobs; `jobs/job-consumer.ts` has their handlers. */
export const jobKinds = ['push', 'schedule', 'alert', 'enrichment'] as const;
export type JobKind = (typeof jobKinds)[number];

/** A message of the job queue: the kind of job, and the id of the push, schedule, alert message or standing order. */
export const jobMessageSchema = z.object({ kind: z.enum(jobKinds), id: z.string().min(1).max(200) });
export type JobMessage = z.infer<typeof jobMessageSchema>;
