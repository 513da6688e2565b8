// Response of /sheets/v1/assistant-codes.
import * as z from 'zod';

/** Answer of `POST /sheets/v1/assistant-codes`. */
export const assistantCode = z.object({
  code: z.string().describe('Works once, within ten minutes.'),
  url: z.url().describe('Address of the gateway for assistants.'),
});
export type AssistantCode = z.infer<typeof assistantCode>;
