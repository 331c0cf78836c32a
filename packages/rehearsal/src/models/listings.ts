import type { Arrival } from "../protocol/protocol.ts";

interface Asked extends Pick<Arrival, "path" | "headers"> {
  readonly method: string;
}

const claude = ["claude-opus-5", "claude-sonnet-5-5", "claude-haiku-4-5"];
const gpt = ["gpt-5.5", "gpt-5.5-mini", "text-embedding-3-small"];
const since = Date.UTC(2026, 0, 1);

/**
 * Lists models in the format of the requested API: Anthropic's if the request has its version header, the AI Gateway's under `/config`, or
 * else OpenAI's. Without `names` from the script, lists a few defaults. Returns `undefined` for other requests.
 */
export function answerListing({ method, path, headers }: Asked, names: readonly string[] = []): unknown {
  const or = (usual: readonly string[]) => (names.length > 0 ? names : usual);
  if (method !== "GET") return undefined;
  if (path.endsWith("/config")) return { models: or(claude.map((name) => `anthropic/${name}`)).map(toGatewayModel) };
  if (!path.endsWith("/models")) return undefined;
  return headers["anthropic-version"] === undefined ? openaiList(or(gpt)) : anthropicList(or(claude));
}

function anthropicList(names: readonly string[]) {
  const data = names.map((id) => ({
    type: "model",
    id,
    display_name: id,
    created_at: new Date(since).toISOString(),
  }));
  return { data, has_more: false, first_id: names[0], last_id: names.at(-1) };
}

function openaiList(names: readonly string[]) {
  return {
    object: "list",
    data: names.map((id) => ({ id, object: "model", created: since / 1000, owned_by: "rehearsal" })),
  };
}

function toGatewayModel(id: string) {
  const [provider = id] = id.split("/");
  const specification = { specificationVersion: "v4", provider, modelId: id };
  return { id, name: id, specification, modelType: "language" };
}
