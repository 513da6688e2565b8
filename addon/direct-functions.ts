// Functions that run without loading anything: formulas and simple triggers.
export { CDAPI_COMPANY, CDAPI_EMPLOYEE, CDAPI_ENRICH, CDAPI_JOB, CDAPI_POST } from './functions/lookup.ts';
export { CDAPI_COUNT, CDAPI_SEARCH } from './functions/search.ts';
export { CDAPI_CREDITS, CDAPI_STATUS } from './functions/status.ts';
export { onInstall, onOpen } from './menu/menu.ts';
