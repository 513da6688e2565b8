// How many records the bench has.

/** As many as one lookup takes. */
export const MOST = 1_000;
