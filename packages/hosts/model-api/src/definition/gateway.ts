// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how files refer to the environment
import { agentFields, settingFields } from "@bridle/protocol";
import { endpoint } from "./agent-endpoint.ts";
import { defineModelApi, elsewhere, servesClaude } from "./common.ts";

const backend = "gateway";

export const gatewayHost = defineModelApi({
  id: backend,
  title: "Vercel's AI Gateway",
  settings: {
    shape: { apiKey: settingFields.key("AI_GATEWAY_API_KEY"), baseUrl: elsewhere },
    secretKeys: ["apiKey"],
  },
  needs: [{ ways: [{ apiKey: "${AI_GATEWAY_API_KEY}" }] }],
  models: servesClaude,
  agentModels: [
    {
      provider: "gateway",
      shape: { api_key: agentFields.key("AI_GATEWAY_API_KEY"), endpoint: endpoint() },
      settings: () => ({ backend }),
    },
  ],
  init: [
    {
      name: "gateway",
      label: "Vercel's AI Gateway",
      model: "sonnet",
      variables: [["AI_GATEWAY_API_KEY"]],
      settings: () => ({ backend, apiKey: "${AI_GATEWAY_API_KEY}" }),
      remedy: "make a key at vercel.com, and set AI_GATEWAY_API_KEY",
    },
  ],
});
