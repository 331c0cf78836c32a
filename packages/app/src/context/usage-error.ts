/** The command was not called as it is meant to be. The message is for the user, with the way out. */
export class UsageError extends Error {}
