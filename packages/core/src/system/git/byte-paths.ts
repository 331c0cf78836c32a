/**
 * Paths as git has them: bytes, with one character of a text for each. A name that is no UTF-8 would be another one otherwise. They
 * are not normalized, because a system follows links before it goes to the folder above.
 */
import { userInfo } from "node:os";
import { dirname, isAbsolute } from "node:path";
import { readTextFileSync } from "../read-text-file.ts";

/** One character for each byte. */
export type BytePath = string;

export function toBytePath(path: string): BytePath {
  return Buffer.from(path, "utf8").toString("latin1");
}

/** The path for functions of the system. */
export function fromBytePath(path: BytePath): Buffer {
  return Buffer.from(path, "latin1");
}

/** A path in a setting of git: relative to a folder, or to the home of a user. */
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

/** The list has no entries of users on macOS and of directory services. */
function homeInList(user: string): string | undefined {
  try {
    const entries = readTextFileSync("/etc/passwd").split("\n");
    return entries.map((entry) => entry.split(":")).find(([name]) => name === user)?.[5];
  } catch {
    return undefined;
  }
}
