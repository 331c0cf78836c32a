/** The time of every answer, in seconds since 1970. It is constant, so that the same request gets the same answer. */
export const created = Date.UTC(2026, 0, 1) / 1000;
