import { agentFields, settingFields } from "@bridle/protocol";
import { z } from "zod";
import { endpoint, optionalText, withPath } from "./agent-endpoint.ts";
import { defineModelApi } from "./common.ts";

const backend = "openai-compatible";

export const openaiCompatibleHost = defineModelApi({
  id: backend,
  title: "A server that speaks OpenAI's protocol",
  settings: {
    shape: {
      baseUrl: settingFields.address("The address of the server, such as http://localhost:11434/v1 for Ollama."),
      apiKey: settingFields.text("A key, if the server needs one."),
      resultImages: z
        .boolean()
        .exactOptional()
        .describe("Whether the model accepts images. If so, it also gets the images in tool results. Default: false."),
    },
    secretKeys: ["apiKey"],
    plainKeys: ["resultImages"],
  },
  needs: [{ ways: [{ baseUrl: "http://localhost:11434/v1" }] }],
  withoutCredentials: () => "none, and the server may want none",
  agentModels: [
    {
      provider: "ollama",
      shape: {
        endpoint: endpoint("The address of Ollama. Default: http://localhost:11434."),
        api_key: agentFields.key("OLLAMA_API_KEY"),
      },
      settings: ({ endpoint: address = "http://localhost:11434" }) => ({
        backend,
        baseUrl: withPath(String(address), "/v1"), // below this path, Ollama speaks OpenAI's protocol
      }),
    },
    {
      provider: "openai-compatible",
      shape: {
        endpoint: endpoint("The address of the server, such as http://localhost:8000/v1."),
        api_key: optionalText("A key, if the server needs one."),
      },
      settings: () => ({ backend }),
    },
  ],
  init: [
    {
      name: "ollama",
      label: "Ollama on this machine",
      variables: [],
      settings: (_environment, address) => ({ backend, baseUrl: `${address}/v1` }),
      remedy: 'install it from ollama.com, then "ollama pull qwen3" (a model that calls tools)',
      probe: "server",
    },
  ],
});
