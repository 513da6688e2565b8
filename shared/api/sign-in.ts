// Bodies of /sheets/v1/sign-in, which exchanges Google's identity token for a token of a team, and of codes for assistants.
import * as z from 'zod';
import { time } from './common.ts';

const MAX_IDENTITY_TOKEN_LENGTH = 8192;

/** Body of `POST /sheets/v1/sign-in`. */
export const signInRequest = z.strictObject({
  identity_token: z
    .string()
    .min(1)
    .max(MAX_IDENTITY_TOKEN_LENGTH)
    .describe('From `ScriptApp.getIdentityToken()` in the add-on. It is neither stored nor logged.'),
});

/** Answer of `POST /sheets/v1/sign-in`. */
export const signInResponse = z.object({
  token: z.string().describe('The person’s token. A later sign-in replaces it.'),
  team: z.string().describe('Name of the team.'),
  expires_at: time,
});
export type SignInResponse = z.infer<typeof signInResponse>;

/** Answer of `POST /sheets/v1/assistant-codes`. */
export const assistantCode = z.object({
  code: z.string().describe('Works once, within ten minutes.'),
  url: z.url().describe('Address of the gateway for assistants.'),
});
export type AssistantCode = z.infer<typeof assistantCode>;
