// /sheets/v1/assistant-codes: codes by which a person connects an assistant without a connection link.
import * as z from 'zod';
import { assistantCode } from '../../../shared/api/assistant-codes.ts';
import { OAuthStore } from '../../gateway/auth/oauth-store.ts';
import { getPublicOrigin } from '../../http/public-origin.ts';
import { countForTeam, type Route, smallRoute } from './route.ts';

const CODES_PER_MINUTE = 5;

const create = smallRoute({
  method: 'POST',
  path: '/assistant-codes',
  summary: 'Create a code that connects an assistant; free',
  description:
    'The page of the gateway that an assistant opens takes it once, within ten minutes. The assistant then has the permissions and the budget of this token, as long as the token is valid.',
  problems: ['rate_limited', 'not_configured'],
  request: z.object({}),
  success: {
    status: 201,
    description: 'The code, and the address of the gateway for assistants',
    schema: assistantCode,
  },
  handle: async (_, context) => {
    const { env, caller, request, newId } = context;
    const url = `${getPublicOrigin(env, request)}/mcp`;
    await countForTeam(context, 'assistant-codes', CODES_PER_MINUTE, 'requests for codes');
    const code = newId();
    await new OAuthStore(env.DB, () => context.now).putConnectCode(code, caller.tokenId);
    return { code, url };
  },
});

export const assistantCodeRoutes: readonly Route[] = [create];
