/**
 * The options that close Copilot's runtime. `mode: "empty"` of the client switches off instructions, skills, hooks of files, memory, Git
 * and telemetry. Every other line was observed to be needed, or the tests list it as a second lock.
 */
import type { ConversationSpec } from "@bridle/protocol";
import type { CopilotClientOptions, ProviderConfig, SessionConfig } from "@github/copilot-sdk";
import { z } from "zod";
import type { GitHubLogin } from "../login/stored-login.ts";
import { type RuntimeFolders, runtimeEnvironment } from "./environment.ts";

export type ClosedClient = Omit<CopilotClientOptions, "connection">;

export function clientOptions(
  environment: Readonly<Record<string, string | undefined>>,
  folders: RuntimeFolders,
  login?: GitHubLogin,
): ClosedClient {
  return {
    mode: "empty",
    baseDirectory: folders.base,
    workingDirectory: folders.work,
    useLoggedInUser: false,
    logLevel: "none",
    env: runtimeEnvironment(environment, folders, login?.host),
    ...(login && { gitHubToken: login.token }),
  };
}

/**
 * Returns the options of a conversation, without the parts that Bridle answers itself: tools, permissions and events. Without a provider,
 * the login pays.
 */
export function sessionOptions(
  spec: ConversationSpec,
  provider: ProviderConfig | undefined,
  folders: RuntimeFolders,
): Omit<SessionConfig, "tools" | "onEvent" | "onPermissionRequest"> {
  return {
    model: spec.model,
    ...(provider ? { provider } : {}),
    availableTools: ["custom:*"],
    systemMessage: { mode: "replace", content: `${spec.system.static}${spec.system.dynamic}` },
    // without this hook, the runtime adds the date and time to each prompt
    hooks: { onUserPromptTransformed: ({ prompt }) => ({ modifiedTransformedPrompt: prompt }) },
    infiniteSessions: { enabled: false }, // Bridle's engine compacts instead, and logs it
    largeOutput: { enabled: false }, // otherwise a result of over 50 kB is replaced with a file name
    toolSearch: { enabled: false }, // otherwise more than thirty tools are hidden behind a search tool
    enableConfigDiscovery: false,
    enableSessionTelemetry: false,
    workingDirectory: folders.work,
    modelCapabilities: capabilities,
    disabledMcpServers: ["github-mcp-server"], // otherwise the runtime connects to this server with a login
    streaming: true,
    ...reasoningOptions(spec),
  };
}

/** A limit of more tokens than any prompt has. */
export const boundlessTokens = 100_000_000;

/**
 * The capabilities of each model. The runtime does not know the models of a key's provider. With a login, it would drop messages and
 * summarise in its own words before the model's limit, although `infiniteSessions` is off (observed on 1.0.14). Bridle's engine compacts
 * instead, and logs it.
 */
const capabilities = {
  supports: { vision: true },
  limits: { max_prompt_tokens: boundlessTokens, max_context_window_tokens: boundlessTokens },
};

export const copilotSettingNames = ["effort"] as const;

const settings = z.strictObject({ effort: z.enum(["low", "medium", "high", "xhigh", "max"]).optional() });

function reasoningOptions({ hostSettings = {} }: ConversationSpec): Pick<SessionConfig, "reasoningEffort"> {
  const { effort } = settings.parse(hostSettings);
  return effort === undefined ? {} : { reasoningEffort: effort };
}
