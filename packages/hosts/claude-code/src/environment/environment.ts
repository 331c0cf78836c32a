import { ConfigError } from "@bridle/protocol";
import { authVariables } from "../auth/auth-modes.ts";
import type { AuthMode, ClaudeCodeOptions, Environment } from "../options.ts";
import { subagentVariables } from "../settings/subagents.ts";
import { isDenied } from "./denied-variables.ts";

/** What the host may know of the machine: where things are, how to speak, how to reach the network. */
const allowedNames = new Set([
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TERM", "TZ", "TMPDIR", "CLAUDE_CONFIG_DIR"],
  ...["USERPROFILE", "HOMEDRIVE", "HOMEPATH", "USERNAME", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES"],
  ...["SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"],
]);
const allowedPrefixes = ["LC_", "XDG_"];

/** What closes holes that no option of the SDK closes. */
const fixed: Readonly<Record<string, string>> = {
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_COMPACT: "1", // else the host condenses a conversation that does not fit, in words of its own
  ENABLE_TOOL_SEARCH: "false",
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1", // else a command or a subagent goes on when its call, and the run, have ended
};

/** Settings of one conversation that the host takes from its environment only. */
export interface ConversationVariables {
  maxOutputTokens?: number;
  promptCaching: boolean;
  /** How many answers with an object the host may take within a turn before it gives up. */
  structuredOutputAttempts?: number;
  /** Subagents of the caller's are opened. */
  subagents?: boolean;
}

/**
 * The whole environment of the host's process: an allow-list, what the chosen auth needs, and what closes holes.
 * Throws ConfigError for a missing credential, and for a denied variable that a caller adds.
 */
export function hostEnvironment(
  options: ClaudeCodeOptions & { auth: AuthMode; environment: Environment },
  conversation: ConversationVariables,
): Record<string, string> {
  const { auth, environment, baseUrl, configDir, extraEnvironment = {} } = options;
  refuseDenied(extraEnvironment);
  return {
    ...machineVariables(environment),
    ...pick(extraEnvironment, () => true),
    ...(configDir === undefined ? {} : { CLAUDE_CONFIG_DIR: configDir }),
    ...fixed,
    ...conversationVariables(conversation),
    ...(conversation.subagents ? subagentVariables : {}),
    ...authVariables(auth, environment, baseUrl),
  };
}

/** What of an environment says how the machine is set up, and holds no credential that a host would take. */
export function machineVariables(environment: Environment): Record<string, string> {
  return pick(environment, isAllowed);
}

function isAllowed(name: string): boolean {
  const upper = name.toUpperCase();
  return (allowedNames.has(upper) || allowedPrefixes.some((prefix) => upper.startsWith(prefix))) && !isDenied(name);
}

function pick(environment: Environment, wanted: (name: string) => boolean): Record<string, string> {
  const entries = Object.entries(environment).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return Object.fromEntries(entries.filter(([name]) => wanted(name)));
}

function conversationVariables(conversation: ConversationVariables): Record<string, string> {
  const { maxOutputTokens, promptCaching, structuredOutputAttempts } = conversation;
  return {
    ...(maxOutputTokens === undefined ? {} : { CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(maxOutputTokens) }),
    ...(promptCaching ? {} : { DISABLE_PROMPT_CACHING: "1" }),
    ...(structuredOutputAttempts === undefined
      ? {}
      : { MAX_STRUCTURED_OUTPUT_RETRIES: String(structuredOutputAttempts) }),
  };
}

function refuseDenied(extra: Environment): void {
  const name = Object.keys(extra).find((key) => extra[key] !== undefined && isDenied(key));
  if (name === undefined) return;
  throw new ConfigError(
    `The variable ${name} may not be handed to Claude Code: it switches who pays or where requests go. Choose an auth mode instead.`,
    { field: "extraEnvironment" },
  );
}
