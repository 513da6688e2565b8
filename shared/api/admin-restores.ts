// Bodies of /admin/v1/restores.
import * as z from 'zod';
import { time } from './common.ts';

export const restoreCommand = z.strictObject({
  id: z.uuid().describe('Chosen by the caller. Repeat it until the restore is complete.'),
  to: time.nullable().describe('The time that the database was restored to; null if it is not known.'),
});

export const restoreView = z.object({
  id: z.string(),
  done: z.boolean(),
  step: z.string().nullable().describe('Name of the next step; null if all are complete.'),
  after: z.string().nullable().describe('How far the step is; changes with its progress.'),
  revocations: z.int().describe('Revocations and deletions that were repeated.'),
  orders_recovered: z.int().describe('Sent data requests that the database had lost.'),
  orders_unclear: z.int().describe('Open data requests that are unclear now.'),
  orders_released: z.int().describe('Reservations of data requests that were never sent.'),
  erasures: z.int().describe('Erasures in progress.'),
});
export type RestoreView = z.infer<typeof restoreView>;
