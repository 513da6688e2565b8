// Entry point of the second script, which Code.js loads on demand: menu items, the open trigger, the sidebar's server, and
// formulas that take seconds or are used rarely.
import { setSender } from './client/gateway.ts';
import { sendWithRenewal } from './client/identity-connection.ts';

export { CDAPI_JOBS, CDAPI_JOBS_COUNT, CDAPI_PEOPLE, CDAPI_PEOPLE_COUNT } from './functions/accounts.ts';
export { CDAPI_COST, CDAPI_FIELDS } from './functions/cost.ts';
export { CDAPI_MATCH } from './functions/match.ts';
export { CDAPI_PREVIEW } from './functions/preview.ts';
export { connect, disconnect } from './menu/connect.ts';
export {
  completeOnOpening,
  freezeSelection,
  freezeSheet,
  help,
  openSidebar,
  refreshSelection,
  useFormulas,
} from './menu/items.ts';
export { cdapiOnEdit, cdapiOnOpen } from './menu/open-trigger.ts';
export { handleCall as cdapiSidebar } from './server/index.ts';

setSender(sendWithRenewal);
