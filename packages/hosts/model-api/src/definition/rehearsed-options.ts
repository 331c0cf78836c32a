import type { ModelApiId, ModelApiOptions } from "../settings/options.ts";

/** The key of rehearsals. It must not occur in other text, because keys are removed from error messages. */
const key = "no-key-in-a-rehearsal";

/** Returns the options of a model API in a rehearsal: the model server's `url`, and credentials that are not real. */
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
