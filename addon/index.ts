// Everything that Sheets can call by name: formulas, menu items and simple triggers. The build makes each of them a
// top-level function of Code.js.
export { CDAPI_ENRICH } from './functions/enrich.ts';
export { connect, onInstall, onOpen } from './menu.ts';
