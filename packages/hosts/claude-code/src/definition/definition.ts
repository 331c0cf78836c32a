import { join } from "node:path";
import type { HostDefinition } from "@bridle/protocol";
import { claudeBlock } from "../agent-block/claude-block.ts";
import { missingVariables, unusedCredentials } from "../auth/auth-modes.ts";
import { type ClaudeAuthMode, claudeAuthModes } from "../options.ts";
import { modelAliases, refuseModelName } from "../settings/model-names.ts";
import { claudeCodeModels } from "./agent-models.ts";
import { claudeCodeProposals } from "./proposals.ts";
import { type ClaudeCodeConfig, claudeCodeSettings } from "./settings-form.ts";

/** The settings of Claude Code, the agent host that uses the user's own login by default. */
export type { ClaudeCodeConfig } from "./settings-form.ts";

export const claudeCodeHost = {
  id: "claude-code",
  title: "Claude Code",
  settings: claudeCodeSettings,
  needs: [],
  auth: {
    modes: claudeAuthModes,
    modeOf: ({ auth }) => auth,
    missing: ({ auth, baseUrl }, environment) => missingVariables(auth, environment, baseUrl),
    unused: ({ auth }, environment) => unusedCredentials(auth, environment),
  },
  findConflict({ auth }, { has }) {
    if (auth !== "session" || !has("baseUrl")) return undefined;
    const message =
      "cannot be combined with auth: session, because a login is only sent to its own provider. Remove it, or set auth: api_key.";
    return { key: "baseUrl", message };
  },
  withoutCredentials: () => "the login of Claude Code itself",
  loginAdvice({ auth }, tenantFolder) {
    if (auth !== "session") return undefined;
    if (tenantFolder === undefined) return 'run "claude" once and log in';
    return `run "claude" with CLAUDE_CONFIG_DIR=${configFolderIn(tenantFolder)}`;
  },
  tenant: {
    variables: (folder) => ({ CLAUDE_CONFIG_DIR: configFolderIn(folder) }),
    folders: (folder) => [configFolderIn(folder)],
  },
  models: {
    family: "claude",
    default: "sonnet",
    tableOf: "anthropic",
    takesPrices: false,
    pricesApply: ({ auth }) => auth === "api_key", // a subscription has no token prices, and a cloud sets its own
    refusal: (model, { auth, baseUrl }) => refuseModelName(model, { auth, baseUrl })?.message,
    aliases: modelAliases,
  },
  hasSampling: false,
  agentModels: claudeCodeModels,
  agentBlock: claudeBlock,
  init: claudeCodeProposals,
  load: async () => (await import("./host.ts")).claudeCode,
} satisfies HostDefinition<ClaudeCodeConfig, "claude-code">;

export type { ClaudeAuthMode };

/** Returns the namespace folder for Claude Code's settings and login. */
function configFolderIn(tenantFolder: string): string {
  return join(tenantFolder, "claude-code");
}
