// Fields that the requests and the answers of /admin/v1 have in common, as schemas.
import * as z from 'zod';
import { operations } from '../../../shared/operations.ts';

export const operationNames = [...new Set(operations.map(({ name }) => name))];

export const id = z
  .string()
  .regex(/^[\w-]{1,64}$/)
  .meta({ examples: ['3f9a0c71d2b84e56'] });
export const spending = z.boolean().describe('False: only what is remembered is answered.');
export const confirmAboveCredits = z
  .int()
  .min(0)
  .max(1_000_000_000_000)
  .nullable()
  .describe('The sidebar asks once more before it spends more credits than this; null is never.');
export const backgroundRefresh = z
  .boolean()
  .describe('Are stale records bought again behind the answer, unasked?');
