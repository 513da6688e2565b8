// Entry point of the second script, which Code.js loads on demand: menu items, the open trigger, the sidebar's server.
export { connect, disconnect } from './menu/connect.ts';
export {
  completeOnOpening,
  freezeSelection,
  freezeSheet,
  help,
  openSidebar,
  refreshSelection,
} from './menu/items.ts';
export { cdapiOnOpen } from './menu/open-trigger.ts';
export { handleCall as cdapiSidebar } from './server/index.ts';
