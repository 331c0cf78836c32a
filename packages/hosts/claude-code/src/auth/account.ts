import { homedir, hostname } from "node:os";
import { join } from "node:path";
import { sha256 } from "@bridle/core";
import { canonicalJson } from "@bridle/protocol";
import type { ClaudeAuthMode, ClaudeCodeOptions, ClaudeEnvironment } from "../options.ts";
import { readLoginHash } from "./account-address.ts";
import { readCredentials } from "./auth-modes.ts";

/**
 * Identifies the account that pays for requests. For a login, this is the folder that stores it, with a hash of who is logged in. If that
 * is unknown, the machine's name is used, because another machine may have the same folder with another login. For every other mode, this
 * is a hash of the credentials and of the address that they are sent to.
 *
 * @example accountKey({ auth: "session", environment: { HOME: "/home/ada" } }); // "claude-code session /home/ada/.claude 4f1b…"
 */
export function accountKey(
  options: ClaudeCodeOptions & { auth: ClaudeAuthMode; environment: ClaudeEnvironment },
): string {
  const { auth, environment, configDir, baseUrl } = options;
  if (auth === "session") {
    const login = readLoginHash(
      configDir === undefined ? environment : { ...environment, CLAUDE_CONFIG_DIR: configDir },
    );
    return `claude-code session ${configDir ?? claudeConfigFolder(environment)} ${login ?? hostname()}`;
  }
  const paying = sha256(canonicalJson({ credentials: readCredentials(auth, environment), baseUrl }));
  return `claude-code ${auth} ${paying.slice(0, 16)}`;
}

/** Returns the folder with Claude Code's settings and login. */
export function claudeConfigFolder(environment: ClaudeEnvironment): string {
  return environment.CLAUDE_CONFIG_DIR || join(environment.HOME || homedir(), ".claude");
}
