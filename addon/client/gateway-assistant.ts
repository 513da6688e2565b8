// Calls of the gateway's language model.
import type { AskRequest, AskResponse } from '../../shared/api/ask.ts';
import type { Connection } from '../../shared/connection.ts';
import { send } from './gateway.ts';
import { createGuard, type GatewayResult } from './http.ts';

const isForm = createGuard<AskResponse>({ family: 'string', conditions: 'list', left_out: 'list' });

/** Turns a sentence into a search form. Costs no credits. */
export function askForForm(connection: Connection, request: AskRequest): GatewayResult<AskResponse> {
  return send(connection, { method: 'post', path: 'ask', body: request }, isForm);
}
