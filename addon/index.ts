// Entry point of Code.js: formulas, menu handlers, triggers and the sidebar's server function. The build makes each
// export a top-level function.
export { CDAPI_COMPANY } from './functions/company.ts';
export { CDAPI_COST } from './functions/cost.ts';
export { CDAPI_COUNT } from './functions/count.ts';
export { CDAPI_CREDITS } from './functions/credits.ts';
export { CDAPI_EMPLOYEE } from './functions/employee.ts';
export { CDAPI_ENRICH } from './functions/enrich.ts';
export { CDAPI_FIELDS } from './functions/fields.ts';
export { CDAPI_JOB } from './functions/job.ts';
export { CDAPI_POST } from './functions/post.ts';
export { CDAPI_PREVIEW } from './functions/preview.ts';
export { CDAPI_SEARCH } from './functions/search.ts';
export { CDAPI_STATUS } from './functions/status.ts';
export {
  cdapiOnOpen,
  cdapiSidebar,
  completeOnOpening,
  connect,
  disconnect,
  freezeSelection,
  freezeSheet,
  help,
  openSidebar,
  refreshSelection,
} from './lazy-handlers.ts';
export { onInstall, onOpen } from './menu/add-menu.ts';
