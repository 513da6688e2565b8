// What the build puts into every file of the page: tags as plain calls, and a short name for what is not there.
export { Fragment, h } from 'preact';

/** Minified, `undefined` becomes `void 0`, some three hundred times. */
export const none = void 0;
