import type { ModelApiProvider } from "./config/provider.ts";

const key = "rehearsal";

/** How a model API is reached in a rehearsal: at the model server's `url`, with credentials that are none. */
export function rehearsedProvider(backend: ModelApiProvider["backend"], url: string): ModelApiProvider {
  switch (backend) {
    case "vertex":
      return { backend, project: "rehearsal", location: "global", accessToken: key, baseUrl: url };
    case "bedrock":
      return { backend, region: "us-east-1", accessKeyId: key, secretAccessKey: key, baseUrl: url };
    case "openai-compatible":
      return { backend, baseUrl: `${url}/v1` };
    default:
      return { backend, apiKey: key, baseUrl: url };
  }
}
