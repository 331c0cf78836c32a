import { userInfo } from "node:os";

/**
 * The name of the user whose process this is, as the system knows it. Variables such as USER do not count: anything can set
 * them, and the name is on record as the person who answered.
 */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return process.getuid === undefined ? "a user of this machine" : `user ${process.getuid()}`; // not in the system's list of users
  }
}
