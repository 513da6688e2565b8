// Entry point of the check's script. The build makes each export a top-level function.
export { checkOpenTrigger } from './checks/triggers.ts';
export { CDAPI_CHECK } from './probes.ts';
export { checkDate, checkFailure, checkPage, checkReset, checkRun, checkStop, onOpen } from './run.ts';
