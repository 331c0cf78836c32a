/** Whether `npm run soak` runs the test: then with more of everything. */
export const isSoak = process.env.SOAK_FACTOR !== undefined;
