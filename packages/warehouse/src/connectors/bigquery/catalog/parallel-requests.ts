/**
 * The number of simultaneous requests. BigQuery allows 100 requests per second and account, and each request takes about a tenth of a
 * second.
 */
export const parallelRequests = 8;
