// Entry point of Code.js in a build without a second script: it loads nothing, so it needs no eval.
export * from './direct-functions.ts';
export * from './lazy-script.ts';
