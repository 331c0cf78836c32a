/** Thrown if the input of a use case is wrong or missing. The message is for the user and ends with the remedy. */
export class UsageError extends Error {}
