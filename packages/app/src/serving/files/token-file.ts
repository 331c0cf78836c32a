import { lstatSync, type Stats, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { createPrivateFolder, readTextFileSync, refuseLinks } from "@bridle/core";
import { ConfigError, getErrorMessage, systemErrorCode } from "@bridle/protocol";

/** The minimum length of a token: 32 hexadecimal digits, which are 128 bits if they are random. */
const tokenPattern = /^[\x21-\x7e]{32,512}$/;

/**
 * Reads the token of a server from a file with one line. If the file does not exist, it is created with `token`. Other users of this
 * machine must not be able to read the file. Throws a ConfigError whose message does not quote the file.
 */
export function readServerToken(path: string, token: string): { readonly token: string; readonly isNew: boolean } {
  const isNew = createFile(path, token);
  requirePrivateFile(path, lstatSync(path));
  const text = readTextFileSync(path).trim();
  if (tokenPattern.test(text)) return { token: text, isNew };
  const message = `The file ${path} has to hold one token of at least 32 characters, without spaces. Remove it to get a new one.`;
  throw new ConfigError(message);
}

/** Creates the file, and returns whether it did. An existing file is kept. */
function createFile(path: string, token: string): boolean {
  try {
    createPrivateFolder(dirname(path));
    refuseLinks(path);
    writeFileSync(path, `${token}\n`, { flag: "wx", mode: 0o600 });
    return true;
  } catch (cause) {
    if (systemErrorCode(cause) === "EEXIST") return false;
    throw new ConfigError(`The token file ${path} cannot be created: ${getErrorMessage(cause)}`, { cause });
  }
}

function requirePrivateFile(path: string, stats: Stats): void {
  if (!stats.isFile()) {
    throw new ConfigError(`${path} is not a file. Name the token file itself, and not a link or a folder.`);
  }
  if (process.getuid !== undefined && stats.uid !== process.getuid()) {
    throw new ConfigError(`The token file ${path} belongs to another user, who knows its token. Remove it.`);
  }
  if (process.platform !== "win32" && (stats.mode & 0o077) !== 0) {
    const message = `Other users of this machine may read the token in ${path}. Remove the file to get a new token.`;
    throw new ConfigError(message);
  }
}
