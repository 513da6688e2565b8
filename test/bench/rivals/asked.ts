// The records that every server of this bench is asked for.

/** As many as an office has in use. */
export const ASKED = { from: 1, count: 100 } as const;

/** By then every server is warm. */
export const WARM_UP_ANSWERS = 5_000;
