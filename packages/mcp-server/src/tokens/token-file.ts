import { randomBytes } from "node:crypto";
import { lstatSync, type Stats, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { createPrivateFolder, readTextFileSync, refuseLinks } from "@bridle/core";
import { ConfigError, getErrorMessage, systemErrorCode } from "@bridle/protocol";
import { z } from "zod";
import { type McpToken, tokenSchema } from "./token.ts";

const fileSchema = z.strictObject({ tokens: z.array(tokenSchema).min(1, "has to have a token") });

/**
 * Reads the token file. Creates it with one read-only token if it does not exist. Other users of this machine must not be able to read it.
 *
 * @throws ConfigError
 */
export function readTokenFile(path: string): { readonly tokens: readonly McpToken[]; readonly isNew: boolean } {
  const isNew = createTokenFile(path);
  requirePrivate(path, lstatSync(path));
  const { tokens } = parseTokens(path, readTextFileSync(path));
  refuseRepeated(
    path,
    tokens.map(({ name }) => name),
    "name",
  );
  refuseRepeated(
    path,
    tokens.map(({ token }) => token),
    "token",
  );
  return { tokens, isNew };
}

/** Creates the token file, and returns whether it did. An existing file stays unchanged. */
function createTokenFile(path: string): boolean {
  const token = `bridle_${randomBytes(32).toString("base64url")}`;
  const text = `${JSON.stringify({ tokens: [{ name: "default", token, writes: false }] }, undefined, 2)}\n`;
  try {
    createPrivateFolder(dirname(path));
    refuseLinks(path);
    writeFileSync(path, text, { flag: "wx", mode: 0o600 });
    return true;
  } catch (cause) {
    if (systemErrorCode(cause) === "EEXIST") return false;
    throw new ConfigError(`The file of tokens ${path} cannot be created: ${getErrorMessage(cause)}`, { cause });
  }
}

function requirePrivate(path: string, stats: Stats): void {
  if (!stats.isFile()) {
    throw new ConfigError(`${path} is not a file. Name the file of tokens itself, and not a link or a folder.`);
  }
  if (process.getuid !== undefined && stats.uid !== process.getuid()) {
    throw new ConfigError(`The file of tokens ${path} belongs to another user, who knows its tokens. Remove it.`);
  }
  if (process.platform !== "win32" && (stats.mode & 0o077) !== 0) {
    const message = `Other users of this machine may read the tokens in ${path}. Replace the tokens, and run: chmod 600 ${path}`;
    throw new ConfigError(message);
  }
}

function parseTokens(path: string, text: string): z.output<typeof fileSchema> {
  try {
    const parsed = fileSchema.safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data;
    throw new ConfigError(`The file of tokens ${path} is wrong: ${z.prettifyError(parsed.error)}`);
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause;
    throw new ConfigError(`The file of tokens ${path} is not JSON. Correct it, or remove it to get a new one.`); // the cause quotes the file
  }
}

function refuseRepeated(path: string, values: readonly string[], key: string): void {
  if (new Set(values).size === values.length) return;
  throw new ConfigError(`Two tokens in ${path} have the same ${key}. Give each its own.`);
}
