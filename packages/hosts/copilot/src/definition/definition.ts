// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how files refer to the environment
import { agentFields, type HostDefinition } from "@bridle/protocol";
import { z } from "zod";
import { copilotApis } from "../options.ts";
import { copilotProposals } from "./proposals.ts";
import { type CopilotConfig, copilotSettings } from "./settings-form.ts";

export type { CopilotConfig } from "./settings-form.ts";

const backend = "copilot";

/** GitHub Copilot's agent runtime, on a key of a model service. */
export const copilotHost = {
  id: backend,
  title: "GitHub Copilot",
  settings: copilotSettings,
  needs: [{ ways: [{ apiKey: "${OPENAI_API_KEY}" }, { baseUrl: "http://localhost:11434/v1" }] }],
  models: { takesPrices: true },
  hasSampling: false,
  agentModels: [
    {
      provider: backend,
      shape: {
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
