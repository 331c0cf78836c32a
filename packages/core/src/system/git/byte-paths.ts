/**
 * Paths as git has them: bytes, each stored as one character, because a name that is not valid UTF-8 would change when decoded. Paths are
 * not normalized, because the system resolves a link before it goes to the parent folder.
 */
import { userInfo } from "node:os";
import { dirname, isAbsolute } from "node:path";
import { readTextFileSync } from "../read-text-file.ts";

/** A path with one character for each byte. */
export type BytePath = string;

export function toBytePath(path: string): BytePath {
  return Buffer.from(path, "utf8").toString("latin1");
}

/** Converts a path for Node's file functions. */
export function fromBytePath(path: BytePath): Buffer {
  return Buffer.from(path, "latin1");
}

/** Expands a path in a git setting. The path is relative to a folder or to a user's home. */
export function expandPath(value: BytePath, folder: BytePath, home: string | undefined): BytePath {
  const [, user, rest = ""] = /^~([^/]*)(.*)$/s.exec(value) ?? [];
  if (user !== undefined) return `${toBytePath(homeOf(user, home) ?? "~")}${rest}`;
  return isAbsolute(value) ? value : `${folder}/${value}`;
}

function homeOf(user: string, home: string | undefined): string | undefined {
  if (user === "") return home;
  const own = userInfo();
  if (own.username === user) return own.homedir;
  return homeInList(user) ?? (home === undefined ? undefined : `${dirname(home)}/${user}`);
}

/** Returns a user's home from the system's user list. The list lacks macOS users and users from directory services. */
function homeInList(user: string): string | undefined {
  try {
    const entries = readTextFileSync("/etc/passwd").split("\n");
    return entries.map((entry) => entry.split(":")).find(([name]) => name === user)?.[5];
  } catch {
    return undefined;
  }
}
