import { join } from "node:path";
import type { HostDefinition } from "@bridle/protocol";
import { codexBlock } from "../agent-block/codex-block.ts";
import { userKeyVariable } from "../environment/user-key.ts";
import { codexAuthModes } from "../options.ts";
import { codexProposals } from "./proposals.ts";
import { type CodexConfig, codexSettings } from "./settings-form.ts";

/** The settings of Codex, the agent host that runs on the user's own ChatGPT login or API key. */
export type { CodexConfig } from "./settings-form.ts";

export const codexHost = {
  id: "codex",
  title: "Codex",
  settings: codexSettings,
  needs: [],
  auth: {
    modes: codexAuthModes,
    modeOf: ({ auth }) => auth,
    missing: ({ auth }, environment) => (auth === "api_key" && !environment[userKeyVariable] ? [userKeyVariable] : []),
    unused: ({ auth }, environment) =>
      ["CODEX_ACCESS_TOKEN", "CODEX_API_KEY", userKeyVariable].filter(
        (name) => environment[name] && !(auth === "api_key" && name === userKeyVariable),
      ),
  },
  findConflict({ auth }, { has }) {
    if (auth !== "session" || !has("baseUrl")) return undefined;
    const message =
      "cannot be combined with auth: session, because a login is only sent to its own provider. Remove it, or set auth: api_key.";
    return { key: "baseUrl", message };
  },
  withoutCredentials: () => "the login of Codex itself",
  loginAdvice({ auth }, tenantFolder) {
    if (auth !== "session") return undefined;
    if (tenantFolder === undefined) return 'run "codex login" once';
    return `run "codex login" with CODEX_HOME=${codexFolderIn(tenantFolder)}`;
  },
  tenant: {
    variables: (folder) => ({ CODEX_HOME: codexFolderIn(folder) }),
    folders: (folder) => [codexFolderIn(folder)],
  },
  models: {
    family: "openai",
    default: "gpt-6-sol",
    tableOf: "openai",
    takesPrices: true,
    pricesApply: ({ auth, baseUrl }) => auth === "api_key" && baseUrl === undefined,
  },
  hasSampling: false,
  agentModels: [
    {
      provider: "codex",
      shape: {},
      settings: () => ({ backend: "codex" }),
    },
  ],
  agentBlock: codexBlock,
  init: codexProposals,
  load: async () => (await import("./host.ts")).codex,
} satisfies HostDefinition<CodexConfig, "codex">;

/** Returns the namespace folder for Codex's settings and login. */
function codexFolderIn(tenantFolder: string): string {
  return join(tenantFolder, "codex");
}
