// Entry point of Code.js: formulas, menu handlers, triggers and the sidebar's server function. The build makes each
// export a top-level function.
export * from './direct-functions.ts';
export * from './lazy-handlers.ts';
