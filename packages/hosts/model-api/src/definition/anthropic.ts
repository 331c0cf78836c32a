// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how files refer to the environment
import { agentFields, settingFields } from "@bridle/protocol";
import { endpoint } from "./agent-endpoint.ts";
import { defineModelApi, elsewhere, servesClaude } from "./common.ts";

const backend = "anthropic";

export const anthropicHost = defineModelApi({
  id: backend,
  title: "Anthropic's API",
  settings: {
    shape: { apiKey: settingFields.key("ANTHROPIC_API_KEY"), baseUrl: elsewhere },
    secretKeys: ["apiKey"],
  },
  needs: [{ ways: [{ apiKey: "${ANTHROPIC_API_KEY}" }] }],
  models: servesClaude,
  agentModels: [
    {
      provider: "anthropic",
      runtime: "model-api",
      shape: { api_key: agentFields.key("ANTHROPIC_API_KEY"), endpoint: endpoint() },
      usualKey: { variable: "ANTHROPIC_API_KEY" },
      settings: () => ({ backend }),
    },
  ],
  init: [
    {
      name: "anthropic",
      label: "Anthropic's API",
      model: "sonnet",
      variables: [["ANTHROPIC_API_KEY"]],
      settings: () => ({ backend, apiKey: "${ANTHROPIC_API_KEY}" }),
      remedy: "make a key at platform.claude.com, and set ANTHROPIC_API_KEY",
    },
  ],
});
