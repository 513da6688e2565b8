// Functions that run without loading anything: formulas and simple triggers.
export { CDAPI_COMPANY } from './functions/company.ts';
export { CDAPI_COUNT } from './functions/count.ts';
export { CDAPI_CREDITS } from './functions/credits.ts';
export { CDAPI_EMPLOYEE } from './functions/employee.ts';
export { CDAPI_ENRICH } from './functions/enrich.ts';
export { CDAPI_JOB } from './functions/job.ts';
export { CDAPI_POST } from './functions/post.ts';
export { CDAPI_SEARCH } from './functions/search.ts';
export { CDAPI_STATUS } from './functions/status.ts';
export { onInstall, onOpen } from './menu/add-menu.ts';
