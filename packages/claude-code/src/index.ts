import type { Backend } from "@bridle/core";
import type { ClaudeCodeOptions } from "./options.ts";

export { type AuthMode, authModes, type ClaudeCodeOptions, type Environment } from "./options.ts";

export function createClaudeCodeBackend(_options: ClaudeCodeOptions = {}): Backend {
  throw new Error("not yet");
}
