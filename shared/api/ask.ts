// Bodies of /sheets/v1/ask: a sentence, and the search form that it became.
import * as z from 'zod';
import { maxSentenceLength } from '../limits.ts';
import { family, singleLineText } from './common.ts';

export const askRequest = z.strictObject({
  sentence: singleLineText(maxSentenceLength)
    .min(1)
    .meta({ examples: ['Fintech companies in Berlin with 50 to 200 people that are hiring'] }),
  family: family
    .exactOptional()
    .describe('The family of the open form. It is preferred to others of the same subject.'),
});
export type AskRequest = z.infer<typeof askRequest>;

export const askResponse = z.object({
  family,
  conditions: z
    .array(
      z.object({
        name: z.string().describe('Name of the form field.'),
        values: z
          .array(z.string())
          .describe('Alternative values, or both ends of a range, empty for an open end.'),
        words: z.string().describe('The words of the sentence that became this condition.'),
      }),
    )
    .describe('At most one condition for each field.'),
  left_out: z
    .array(
      z.object({ words: z.string(), reason: z.string().describe('The end of a sentence, after a colon.') }),
    )
    .describe('Parts of the sentence that did not become conditions.'),
});
export type AskResponse = z.infer<typeof askResponse>;
