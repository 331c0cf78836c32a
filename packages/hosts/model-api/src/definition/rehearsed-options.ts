import type { ModelApiId, ModelApiOptions } from "../settings/options.ts";

/** No word of a text, because a key is removed from the texts of errors. */
const key = "no-key-in-a-rehearsal";

/** How a model API is reached in a rehearsal: at the model server's `url`, with credentials that are not real. */
export function rehearsedOptions(id: ModelApiId, url: string): ModelApiOptions {
  switch (id) {
    case "vertex":
      return { id, project: "rehearsal", location: "global", accessToken: key, baseUrl: url };
    case "bedrock":
      return { id, region: "us-east-1", accessKeyId: key, secretAccessKey: key, baseUrl: url };
    case "openai-compatible":
      return { id, baseUrl: `${url}/v1` };
    default:
      return { id, apiKey: key, baseUrl: url };
  }
}
