// Names that the build injects into every file of the page.
export { Fragment, h } from 'preact';

/** Shorter than `void 0`, which the minifier writes about three hundred times. */
export const none = void 0;
