import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { createPrivateFolder, refuseLinks } from "@bridle/core";
import { ConfigError, getErrorMessage } from "@bridle/protocol";

/** Makes sure that a socket's folder exists and is accessible only to this user, because some systems ignore the mode of a socket. */
export function requireSocketFolder(socket: string): void {
  const folder = dirname(socket);
  try {
    createPrivateFolder(folder);
    refuseLinks(socket);
  } catch (cause) {
    throw new ConfigError(`The folder of the socket ${socket} cannot be created: ${getErrorMessage(cause)}`, { cause });
  }
  const { mode, uid } = lstatSync(folder);
  if (process.platform === "win32") return;
  const isOwn = process.getuid === undefined || uid === process.getuid();
  if (isOwn && (mode & 0o077) === 0) return;
  const message = `Other users of this machine can open the folder ${folder}. Choose one with the mode 700, such as .bridle, or run: chmod 700 ${folder}`;
  throw new ConfigError(message);
}
