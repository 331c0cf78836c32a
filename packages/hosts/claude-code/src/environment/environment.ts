import { isMachineVariable } from "@bridle/host-shared";
import { ConfigError } from "@bridle/protocol";
import { authVariables } from "../auth/auth-modes.ts";
import type { AuthMode, ClaudeCodeOptions, Environment } from "../options.ts";
import { subagentVariables } from "../settings/subagents.ts";
import { isDenied } from "./denied-variables.ts";

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
    ...hostVariables(environment),
    ...pick(extraEnvironment, () => true),
    ...(configDir === undefined ? {} : { CLAUDE_CONFIG_DIR: configDir }),
    ...fixed,
    ...conversationVariables(conversation),
    ...(conversation.subagents ? subagentVariables : {}),
    ...authVariables(auth, environment, baseUrl),
  };
}

/** The variables of an environment that the host gets whatever is asked of it; its own folder is one of them. */
function hostVariables(environment: Environment): Record<string, string> {
  const isAllowed = (name: string) => isMachineVariable(name) || name.toUpperCase() === "CLAUDE_CONFIG_DIR";
  return pick(environment, (name) => isAllowed(name) && !isDenied(name));
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
