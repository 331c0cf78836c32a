import { userInfo } from "node:os";

/**
 * Returns the name of the user who owns this process, as known to the operating system. Environment variables such as USER are
 * ignored: any program can set them, and the name is recorded as the user who answered.
 */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return process.getuid === undefined ? "a user of this machine" : `user ${process.getuid()}`; // not in the system's list of users
  }
}
