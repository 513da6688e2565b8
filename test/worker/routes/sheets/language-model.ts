// A strict stand-in for a language model behind an address for chat completions. It answers from a script and refuses what the
// original could refuse: other methods, unknown members, a missing key, another model.
import * as z from 'zod';

export const MODEL = 'test-model-1';
export const MODEL_KEY = 'test-model-key';
export const MODEL_URL = 'https://models.example.com/v1/chat/completions';

const message = z.strictObject({ role: z.enum(['system', 'user']), content: z.string().min(1) });

const format = z.strictObject({
  type: z.literal('json_schema'),
  json_schema: z.strictObject({
    name: z.string().regex(/^[\w-]{1,64}$/),
    strict: z.literal(true),
    // Strict structured output takes closed objects whose members are all required, and no `$schema` or limits of lengths.
    schema: z.record(z.string(), z.unknown()),
  }),
});

const requestBody = z.strictObject({
  model: z.literal(MODEL),
  messages: z.tuple([
    message.extend({ role: z.literal('system') }),
    message.extend({ role: z.literal('user') }),
  ]),
  temperature: z.number().min(0).max(2),
  max_tokens: z.int().min(1).max(4096),
  response_format: format,
});
export type ModelRequest = z.infer<typeof requestBody>;

/** Finds what strict structured output refuses in a schema. */
function findSchemaFault(schema: unknown): string | undefined {
  if (Array.isArray(schema)) return schema.map(findSchemaFault).find((fault) => fault !== undefined);
  if (typeof schema !== 'object' || schema === null) return undefined;
  const node = new Map<string, unknown>(Object.entries(schema));
  const refused = ['$schema', 'maxLength', 'minLength', 'maxItems', 'minItems'].find((name) =>
    node.has(name),
  );
  if (refused !== undefined) return refused;
  if (node.get('type') === 'object') {
    const names = Object.keys(node.get('properties') ?? {}).sort();
    const required = node.get('required');
    if (node.get('additionalProperties') !== false) return 'additionalProperties';
    if (!Array.isArray(required) || required.toSorted().join() !== names.join()) return 'required';
  }
  return [...node.values()].map(findSchemaFault).find((fault) => fault !== undefined);
}

const refuse = (status: number, text: string): Response =>
  Response.json({ error: { message: text, type: 'invalid_request_error' } }, { status });

/** Wraps an answer like a service does. */
export const createCompletion = (content: string): Response =>
  Response.json({
    id: 'completion-1',
    object: 'chat.completion',
    model: MODEL,
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });

/** Answers a request. `signal` is that of the caller. */
export type ModelScript = (
  request: ModelRequest,
  signal: AbortSignal,
) => Response | string | Promise<Response>;

/** The stand-in. */
export class StrictModel {
  /** Accepted requests, in order. */
  readonly requests: ModelRequest[] = [];
  /** Replaced by each test. A text is the content of the answer. */
  script: ModelScript = () => '{}';

  /** With the parameters and results of the platform's `fetch`. */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    if (request.method !== 'POST') return refuse(405, 'method');
    if (request.headers.get('authorization') !== `Bearer ${MODEL_KEY}`) return refuse(401, 'key');
    if (request.headers.get('content-type') !== 'application/json') return refuse(415, 'content type');
    // A client that followed redirects would take the key to another address.
    if (request.redirect !== 'manual') return refuse(400, 'redirect');
    const parsed = requestBody.safeParse(await request.json());
    if (!parsed.success) return refuse(400, parsed.error.message);
    const fault = findSchemaFault(parsed.data.response_format.json_schema.schema);
    if (fault !== undefined) return refuse(400, `schema: ${fault}`);
    this.requests.push(parsed.data);
    const answer = await this.script(parsed.data, request.signal);
    return typeof answer === 'string' ? createCompletion(answer) : answer;
  };
}
