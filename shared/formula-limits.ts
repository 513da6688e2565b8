// How much one formula asks for.

/** The most ids that a search gives. */
export const maxSearchIds = 10_000;

/** The ids that a search gives where nobody says how many. */
export const defaultSearchIds = 100;

/** A formula may take 30 s. After so many milliseconds it answers with what it has. */
export const formulaWaitMs = 24_000;
