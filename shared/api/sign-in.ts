// Bodies of /sheets/v1/sign-in, which exchanges Google's identity token for a token of a team.
import * as z from 'zod';
import { time } from './common.ts';

const MAX_IDENTITY_TOKEN_LENGTH = 8192;

export const signInRequest = z.strictObject({
  identity_token: z
    .string()
    .min(1)
    .max(MAX_IDENTITY_TOKEN_LENGTH)
    .describe('From `ScriptApp.getIdentityToken()` in the add-on. It is neither stored nor logged.'),
});

export const signInResponse = z.object({
  token: z.string().describe('The person’s token. A later sign-in replaces it.'),
  team: z.string().describe('Name of the team.'),
  expires_at: time,
});
export type SignInResponse = z.infer<typeof signInResponse>;
