import { isMachineVariable } from "@bridle/host-shared";
import { ConfigError, omitUndefined } from "@bridle/protocol";
import { authVariables } from "../auth/auth-modes.ts";
import type { ClaudeAuthMode, ClaudeCodeOptions, ClaudeEnvironment } from "../options.ts";
import { subagentVariables } from "../settings/subagents.ts";
import { isDenied } from "./denied-variables.ts";
import { isReserved } from "./reserved-variables.ts";

/** Variables that close holes that no SDK option closes. */
const fixed: Readonly<Record<string, string>> = {
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_COMPACT: "1", // otherwise the host summarises a conversation that is too long, in its own words
  ENABLE_TOOL_SEARCH: "false",
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1", // otherwise a command or a subagent continues after its call, and after the run
};

/** A conversation's settings that the host reads only from its environment. */
export interface ConversationVariables {
  maxOutputTokens?: number | undefined;
  promptCaching: boolean;
  /** How many objects the model may return within a turn before the host gives up. */
  structuredOutputAttempts?: number | undefined;
  /** Whether the caller opened the host's subagents. */
  subagents?: boolean | undefined;
  /** The caller's variables for the host's own tools. They override the machine's variables. */
  forTools?: Readonly<Record<string, string>> | undefined;
}

/**
 * Returns the whole environment of the host's process: allowed variables, those of the auth mode, and those that close holes. Throws
 * ConfigError if a credential is missing, or if a caller adds a denied variable.
 */
export function hostEnvironment(
  options: ClaudeCodeOptions & { auth: ClaudeAuthMode; environment: ClaudeEnvironment },
  conversation: ConversationVariables,
): Record<string, string> {
  const { auth, environment, baseUrl, configDir, extraEnvironment = {} } = options;
  refuseDenied(extraEnvironment);
  refuseReserved(conversation.forTools);
  return {
    ...hostVariables(environment),
    ...pick(extraEnvironment, () => true),
    ...conversation.forTools,
    ...omitUndefined({ CLAUDE_CONFIG_DIR: configDir }),
    ...fixed,
    ...conversationVariables(conversation),
    ...(conversation.subagents && subagentVariables),
    ...authVariables(auth, environment, baseUrl),
  };
}

/** Returns the variables that the host always gets, such as the one for its own folder. */
function hostVariables(environment: ClaudeEnvironment): Record<string, string> {
  const isAllowed = (name: string) => isMachineVariable(name) || name.toUpperCase() === "CLAUDE_CONFIG_DIR";
  return pick(environment, (name) => isAllowed(name) && !isDenied(name));
}

function pick(environment: ClaudeEnvironment, wanted: (name: string) => boolean): Record<string, string> {
  const entries = Object.entries(environment).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return Object.fromEntries(entries.filter(([name]) => wanted(name)));
}

function conversationVariables(conversation: ConversationVariables): Record<string, string> {
  const { maxOutputTokens, promptCaching, structuredOutputAttempts } = conversation;
  return omitUndefined({
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: maxOutputTokens?.toString(),
    DISABLE_PROMPT_CACHING: promptCaching ? undefined : "1",
    MAX_STRUCTURED_OUTPUT_RETRIES: structuredOutputAttempts?.toString(),
  });
}

/** Throws if a caller sets a variable for the host's tools that the host itself reads, because the tools have the host's environment. */
function refuseReserved(forTools: Readonly<Record<string, string>> = {}): void {
  const name = Object.keys(forTools).find((key) => isReserved(key) || Object.hasOwn(fixed, key));
  if (name === undefined) return;
  throw new ConfigError(
    `The variable ${name} must not be passed to Claude Code's tools, because Claude Code reads it too: it would change who pays, the address of requests, or its settings. Leave it out of environment, and set it in the command that needs it.`,
    { field: "environment" },
  );
}

function refuseDenied(extra: ClaudeEnvironment): void {
  const name = Object.keys(extra).find((key) => extra[key] !== undefined && isDenied(key));
  if (name === undefined) return;
  throw new ConfigError(
    `The variable ${name} must not be passed to Claude Code, because it changes who pays or the address of requests. Choose an auth mode instead.`,
    { field: "extraEnvironment" },
  );
}
