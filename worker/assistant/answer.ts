// The form of the model's answer, and its parser. An answer is untrusted input.
import * as z from 'zod';
import { singleLineText } from '../../shared/api/common.ts';
import type { Family } from '../../shared/families/index.ts';
import { isObject } from '../../shared/lib/is-object.ts';
import { maxSentenceLength } from '../../shared/limits.ts';
import { ProblemError } from '../http/problem-error.ts';
import { parseJson } from '../lib/exact-json.ts';
import { isNestedDeeper } from '../lib/json-depth.ts';

const MAX_CONDITIONS = 30;
const MAX_VALUES = 20;
const MAX_VALUE_LENGTH = 200;
const MAX_DEPTH = 10;

const words = singleLineText(maxSentenceLength);

const condition = z.strictObject({
  words,
  field: singleLineText(MAX_VALUE_LENGTH),
  values: z.array(singleLineText(MAX_VALUE_LENGTH)).min(1).max(MAX_VALUES),
});

const omission = z.strictObject({ words, reason: z.enum(['no_field', 'unclear']) });

/** The model's answer: a condition has the words of the sentence, the field and its values. */
export interface ModelAnswer {
  family: Family;
  conditions: z.infer<typeof condition>[];
  left_out: z.infer<typeof omission>[];
}

function createAnswerSchema(families: readonly Family[]): z.ZodType<ModelAnswer> {
  return z.strictObject({
    family: z.enum(families),
    conditions: z.array(condition).max(MAX_CONDITIONS),
    left_out: z.array(omission).max(MAX_CONDITIONS),
  });
}

/** Keywords that services for structured output may refuse. {@link parseAnswer} checks these limits anyway. */
const UNSUPPORTED = ['maxLength', 'minItems', 'maxItems'];

/** Builds the JSON schema of an answer about some families, for services that support structured output. */
export function buildAnswerJsonSchema(families: readonly Family[]): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(createAnswerSchema(families), {
    io: 'input',
    override: ({ jsonSchema }) => {
      for (const name of UNSUPPORTED) if (isObject(jsonSchema)) delete jsonSchema[name];
    },
  });
  return schema;
}

const FENCE = '```';

/** Removes the block of Markdown that some models put around JSON. */
function removeFence(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith(FENCE) || !trimmed.endsWith(FENCE)) return text;
  return trimmed.slice(FENCE.length, -FENCE.length).replace(/^json/, '');
}

/**
 * Parses an answer.
 * @param families - the families that the model could choose from
 * @throws ProblemError `assistant_answer_invalid`, which never contains a part of the answer
 */
export function parseAnswer(text: string, families: readonly Family[]): ModelAnswer {
  const json = removeFence(text);
  if (isNestedDeeper(json, MAX_DEPTH)) throw new ProblemError('assistant_answer_invalid');
  const parsed = createAnswerSchema(families).safeParse(parseJson(json));
  if (!parsed.success) throw new ProblemError('assistant_answer_invalid');
  return parsed.data;
}
