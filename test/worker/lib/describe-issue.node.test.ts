// The texts of validators in plain words.
import { expect, it } from 'vitest';
import * as z from 'zod';
import { describeIssue } from '../../../worker/lib/describe-issue.ts';

it.each<[z.ZodType, unknown, string]>([
  [z.object({ name: z.string() }), {}, 'is missing'],
  [z.string(), 5, 'must be a text'],
  [z.int(), 'lots', 'must be a number'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.boolean(), 'yes', 'must be true or false'],
  [z.array(z.string()), 'a', 'must be a list'],
  [z.strictObject({}), [], 'must be an object'],
  [z.strictObject({ day: z.int().optional() }), { dya: 1 }, 'has no “dya”'],
  [z.int().min(1), 0, 'must be at least 1'],
  [z.int().max(100), 101, 'must be at most 100'],
  [z.string().min(1), '', 'is empty'],
  [z.string().max(5), 'abcdef', 'must be at most 5 characters'],
  [z.array(z.int()).min(1), [], 'needs at least one entry'],
  [z.array(z.int()).max(1), [1, 2], 'must be at most 1 entries'],
  [z.enum(['open', 'all']), 'x', 'must be one of open, all'],
  [z.literal(1), 2, 'must be 1'],
  [z.uuid(), 'x', 'is not an id such as 3f9a0c71-d2b8-4e56-8a3c-0d1e2f3a4b5c'],
  [z.iso.datetime(), 'today', 'is not a time such as 2026-09-01T12:00:00Z'],
  [z.string().regex(/^a$/), 'b', 'is not in the expected form'],
  [z.string().regex(/^a$/, 'is no letter a'), 'b', 'is no letter a'],
  [z.union([z.string(), z.int()]), {}, 'has none of the accepted forms'],
])('%#: %s', (schema, value, text) => {
  const { error } = schema.safeParse(value, { error: describeIssue });
  expect(error?.issues[0]?.message).toBe(text);
});
