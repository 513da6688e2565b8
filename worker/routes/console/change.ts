// Changes that one endpoint makes, with the parameters of the page's address.
import type { AdminName } from '../../../shared/api/admin-endpoints.ts';
import type { AdminBody } from './admin-client.ts';
import type { Action, ConsoleContext, FormValues } from './context.ts';

/**
 * Creates a change. The path of its action has the parameters of the endpoint.
 * @param done - what the page that follows says first
 * @param getNext - returns the address of that page
 * @param readBody - reads what the endpoint takes, if it takes a body
 */
export const createChange = <N extends AdminName>(
  needs: N,
  done: string,
  getNext: (params: ConsoleContext['params']) => string,
  readBody?: (form: FormValues) => AdminBody<N>,
): Action => ({
  needs,
  done,
  run: async ({ api, params }, form) => {
    await api.fetch<AdminName>(needs, { params, body: readBody?.(form) });
    return getNext(params);
  },
});
