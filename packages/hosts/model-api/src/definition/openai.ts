// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how files refer to the environment
import { agentFields, settingFields } from "@bridle/protocol";
import { z } from "zod";
import { endpoint, optionalText, withPath } from "./agent-endpoint.ts";
import { defineModelApi, elsewhere } from "./common.ts";

const backend = "openai";

export const openaiHost = defineModelApi({
  id: backend,
  title: "OpenAI's API",
  settings: {
    shape: {
      apiKey: settingFields.key("OPENAI_API_KEY"),
      baseUrl: elsewhere,
      organization: settingFields.text("The organization that requests are billed to."),
      project: settingFields.text("The project that requests are billed to."),
    },
    secretKeys: ["apiKey"],
  },
  needs: [{ ways: [{ apiKey: "${OPENAI_API_KEY}" }] }],
  agentModels: [
    {
      provider: "openai",
      shape: {
        api_key: agentFields.key("OPENAI_API_KEY"),
        endpoint: endpoint(),
        organization: optionalText("The organization that requests are billed to."),
        project: optionalText("The project that requests are billed to."),
      },
      usualKey: { variable: "OPENAI_API_KEY" },
      settings: () => ({ backend }),
    },
    {
      provider: "azure_openai", // speaks OpenAI's own protocol at this address, with its own keys
      shape: {
        api_key: agentFields.key("AZURE_OPENAI_API_KEY"),
        endpoint: agentFields.address("The address of the resource, such as https://my-resource.openai.azure.com."),
        api_version: z
          .literal("v1", {
            error: "can only be v1: the versions with a date are of an API that is not spoken here. Remove it",
          })
          .exactOptional()
          .describe("Can only be v1, which every resource has."),
      },
      usualKey: { variable: "AZURE_OPENAI_API_KEY", isForAddress: true }, // the keys belong to the resource at the address
      settings: ({ endpoint: address }) => ({
        backend,
        ...(typeof address === "string" && { baseUrl: withPath(address, "/openai/v1") }),
      }),
    },
  ],
  init: [
    {
      name: "openai",
      label: "OpenAI's API",
      model: "gpt-6-sol",
      variables: [["OPENAI_API_KEY"]],
      settings: () => ({ backend, apiKey: "${OPENAI_API_KEY}" }),
      remedy: "make a key at platform.openai.com, and set OPENAI_API_KEY",
    },
  ],
});
