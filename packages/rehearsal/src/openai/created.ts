/** When every answer was made, in seconds since 1970: the same request gets the same answer. */
export const created = Date.UTC(2026, 0, 1) / 1000;
