// A client of /mcp for tests, as assistants of the protocol revision 2025-11-25 call it.
import * as z from 'zod';

/** Sends requests to a gateway, by path. */
interface Sender {
  request: (path: string, init?: RequestInit) => Promise<Response>;
}

const resultSchema = z.object({
  isError: z.boolean().optional(),
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
  structuredContent: z
    .object({
      summary: z.string(),
      spending: z.object({
        price: z.number().optional(),
        charged: z.number(),
        cached_share: z.number(),
        remaining: z.number().nullable().optional(),
      }),
      cursor: z.string().nullable().optional(),
      data: z.record(z.string(), z.unknown()),
    })
    .optional(),
});

const answerSchema = z.object({ result: z.unknown(), error: z.unknown() }).partial();

/** Sends a message of the protocol. */
export const postMessage = (
  { request }: Sender,
  token: string | undefined,
  message: unknown,
  headers: Record<string, string> = {},
): Promise<Response> =>
  request('/mcp', {
    method: 'POST',
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });

/** Reads the answer to a message, which is an event or JSON. */
export async function readAnswer(response: Response): Promise<z.infer<typeof answerSchema>> {
  const text = await response.text();
  const json = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  return answerSchema.parse(JSON.parse(json));
}

/** Calls a method. @throws if it fails */
export async function callMethod(
  gateway: Sender,
  token: string,
  method: string,
  params: unknown = {},
): Promise<unknown> {
  const answer = await readAnswer(
    await postMessage(gateway, token, { jsonrpc: '2.0', id: 1, method, params }),
  );
  if (answer.error !== undefined) throw new Error(JSON.stringify(answer.error));
  return answer.result;
}

/** Calls a tool. The result of a failed one is its text. */
export async function callTool(
  gateway: Sender,
  token: string,
  name: string,
  args: Record<string, unknown> = {},
) {
  const result = resultSchema.parse(
    await callMethod(gateway, token, 'tools/call', { name, arguments: args }),
  );
  const texts = result.content.map(({ text }) => text);
  const { structuredContent: answer } = result;
  if (result.isError || answer === undefined) return { error: texts.join('\n') };
  return { ...answer, texts };
}
