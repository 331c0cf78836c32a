// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how files refer to the environment
import { join } from "node:path";
import { agentFields, type HostDefinition } from "@bridle/protocol";
import { z } from "zod";
import { copilotApis, copilotAuthModes } from "../options.ts";
import { copilotProposals } from "./proposals.ts";
import { type CopilotConfig, copilotSettings } from "./settings-form.ts";

export type { CopilotConfig } from "./settings-form.ts";

const backend = "copilot";

/** The variables from which the `copilot` command reads a login. Bridle reads one of them only if the settings refer to it. */
const loginVariables = ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"];

/** GitHub Copilot's agent runtime, on a model service's key or on a GitHub login. */
export const copilotHost = {
  id: backend,
  title: "GitHub Copilot",
  settings: copilotSettings,
  needs: [
    {
      ways: [{ apiKey: "${OPENAI_API_KEY}" }, { baseUrl: "http://localhost:11434/v1" }],
      unless: { key: "auth", value: "session" },
    },
  ],
  auth: {
    modes: copilotAuthModes,
    modeOf: ({ auth }) => auth,
    missing: () => [],
    unused: ({ auth, gitHubToken }, environment) =>
      auth === "session" ? loginVariables.filter((name) => environment[name] && environment[name] !== gitHubToken) : [],
  },
  findConflict({ auth, api }, { has }) {
    const belongs = (key: string, mode: string) => ({
      key,
      message: `belongs to auth: ${mode}. Remove it, or set auth: ${mode}.`,
    });
    if (auth === "api_key") {
      const key = ["gitHubToken", "gitHubHost"].find(has);
      return key === undefined ? undefined : belongs(key, "session");
    }
    const key = ["apiKey", "baseUrl", "wireApi"].find(has);
    if (key !== undefined) return belongs(key, "api_key");
    if (api !== "openai") return belongs("api", "api_key");
    if (!has("gitHubHost") || has("gitHubToken")) return undefined;
    return { key: "gitHubHost", message: "belongs to gitHubToken: a stored login has its own host. Remove it." };
  },
  withoutCredentials: ({ auth }) =>
    auth === "session" ? "the login of Copilot itself" : "none, and the server may want none",
  loginAdvice({ auth, gitHubToken }, tenantFolder) {
    if (auth !== "session" || gitHubToken !== undefined) return undefined;
    if (tenantFolder === undefined) return 'run "copilot login" once';
    return `run "copilot login" with COPILOT_HOME=${copilotFolderIn(tenantFolder)}`;
  },
  tenant: {
    variables: (folder) => ({ COPILOT_HOME: copilotFolderIn(folder) }),
    folders: (folder) => [copilotFolderIn(folder)],
  },
  models: { takesPrices: true, pricesApply: ({ auth }) => auth === "api_key" },
  hasSampling: false,
  agentModels: [
    {
      provider: backend,
      shape: {
        auth_provider: z
          .enum(copilotAuthModes)
          .exactOptional()
          .describe(
            "The account that pays: the owner of api_key (default), or the GitHub login of this machine (session).",
          ),
        api: z.enum(copilotApis).exactOptional().describe("The protocol of the model service. Default: openai."),
        api_key: agentFields.key("OPENAI_API_KEY"),
        endpoint: agentFields
          .address("The address for requests, instead of the service's own address.")
          .exactOptional(),
      },
      settings: ({ api }) => ({ backend, ...(typeof api === "string" && { api }) }),
    },
  ],
  init: copilotProposals,
  load: async () => (await import("./host.ts")).copilot,
} satisfies HostDefinition<CopilotConfig, "copilot">;

/** Returns the namespace folder for Copilot's settings and login. */
function copilotFolderIn(tenantFolder: string): string {
  return join(tenantFolder, "copilot");
}
