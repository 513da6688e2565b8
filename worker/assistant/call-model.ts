// Sends one question to the language model. It is never repeated, because each call may cost money.
import * as z from 'zod';
import { logError } from '../http/log.ts';
import { ProblemError } from '../http/problem-error.ts';
import { readText } from '../http/read-body.ts';
import { isNestedDeeper } from '../lib/json-depth.ts';
import { withAbort } from '../lib/with-abort.ts';
import type { ChatMessage } from './prompt.ts';
import type { AssistantSettings } from './settings.ts';

/** Shorter than what Apps Script waits for a response. */
const TIMEOUT_MS = 20_000;
/** A form has a few hundred bytes. */
const MAX_RESPONSE_BYTES = 64 * 1024;
const MAX_DEPTH = 20;
/** Limits the price of an answer. */
const MAX_TOKENS = 1500;

const completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});

/** Models of Workers AI answer in one of two forms; structured output is parsed already. */
const workersAiAnswer = z.union([
  z.object({ response: z.union([z.string(), z.record(z.string(), z.unknown())]) }),
  completion,
]);

const invalid = (): ProblemError => new ProblemError('assistant_answer_invalid');

const getContent = ({ choices }: z.infer<typeof completion>): string => choices[0]?.message.content ?? '';

/** Reports a call without an answer. @throws ProblemError `assistant_unavailable` */
function failCall(error: unknown, status?: number): never {
  logError('assistant_call_failed', error, status === undefined ? {} : { status });
  throw new ProblemError('assistant_unavailable');
}

async function askEndpoint(
  { url, key }: { url: string; key: string },
  body: Record<string, unknown>,
  signal: AbortSignal,
): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    // A redirect could lead to a forbidden address, with the key.
    redirect: 'manual',
    signal,
  }).catch((error: unknown) => failCall(error));
  if (response.status !== 200) {
    await response.body?.cancel().catch(() => {});
    return failCall(undefined, response.status);
  }
  const text = await withAbort(signal, readText(response, MAX_RESPONSE_BYTES)).catch((error: unknown) =>
    failCall(error),
  );
  if (text === undefined || isNestedDeeper(text, MAX_DEPTH)) throw invalid();
  try {
    return getContent(completion.parse(JSON.parse(text)));
  } catch {
    throw invalid();
  }
}

async function askWorkersAi(
  { ai, model }: Extract<AssistantSettings, { ai: unknown }>,
  inputs: Record<string, unknown>,
  signal: AbortSignal,
): Promise<string> {
  const answer = await withAbort(signal, ai.run(model, inputs, { signal })).catch((error: unknown) =>
    failCall(error),
  );
  const parsed = workersAiAnswer.safeParse(answer);
  if (!parsed.success) throw invalid();
  const content = 'response' in parsed.data ? parsed.data.response : getContent(parsed.data);
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  if (text.length > MAX_RESPONSE_BYTES) throw invalid();
  return text;
}

/**
 * Asks the model.
 * @param schema - JSON schema of the answer, for models that support structured output
 * @returns the text of the answer, which is untrusted
 * @throws ProblemError `assistant_unavailable`, `assistant_answer_invalid`
 */
export async function callModel(
  settings: AssistantSettings,
  messages: readonly ChatMessage[],
  schema: Record<string, unknown>,
): Promise<string> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const options = { messages, temperature: 0, max_tokens: MAX_TOKENS };
  if ('ai' in settings) {
    const format = { type: 'json_schema', json_schema: schema };
    return askWorkersAi(settings, { ...options, response_format: format }, signal);
  }
  const format = { type: 'json_schema', json_schema: { name: 'search_form', strict: true, schema } };
  return askEndpoint(settings, { model: settings.model, ...options, response_format: format }, signal);
}
