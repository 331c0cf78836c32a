import { homedir } from "node:os";
import { join } from "node:path";
import { sha256 } from "@bridle/core";
import { canonicalJson } from "@bridle/protocol";
import type { AuthMode, ClaudeCodeOptions, Environment } from "../options.ts";
import { credentialsOf } from "./auth-modes.ts";

/**
 * Who pays for what Claude Code does: for a login the folder in which it is stored, for every other mode a hash of the
 * credentials and of where they are sent.
 *
 * @example
 * accountOf({ auth: "session", environment: { HOME: "/home/ada" } }); // "claude-code session /home/ada/.claude"
 */
export function accountOf(options: ClaudeCodeOptions & { auth: AuthMode; environment: Environment }): string {
  const { auth, environment, configDir, baseUrl } = options;
  if (auth === "session") return `claude-code session ${configDir ?? configFolder(environment)}`;
  const paying = sha256(canonicalJson({ credentials: credentialsOf(auth, environment), baseUrl }));
  return `claude-code ${auth} ${paying.slice(0, 16)}`;
}

/** Where Claude Code keeps its settings and its login. */
export function configFolder(environment: Environment): string {
  return environment.CLAUDE_CONFIG_DIR || join(environment.HOME || homedir(), ".claude");
}
