import type { Endpoint } from "../protocol/protocol.ts";

const models = ["claude-opus-5", "claude-sonnet-5-5", "claude-haiku-4-5"];

const endpoints: Readonly<Record<string, (body: unknown) => unknown>> = {
  "HEAD /": () => ({}),
  "GET /": () => ({ status: "ok" }),
  "GET /api/hello": () => ({ message: "hello" }),
  "GET /v1/models": () => ({ data: models.map(toModel), has_more: false, first_id: models[0], last_id: models.at(-1) }),
  "POST /v1/messages/count_tokens": (body) => ({ input_tokens: countTokens(body) }),
};

/** What the API answers on its other endpoints, as far as clients need it to go on. */
export function answerEndpoint({ method, path, body }: Endpoint): unknown {
  const name = `${method} ${path}`;
  return Object.hasOwn(endpoints, name) ? endpoints[name]?.(body) : undefined;
}

function toModel(id: string) {
  return { type: "model", id, display_name: id, created_at: "2026-01-01T00:00:00Z" };
}

/** About four characters to a token. */
function countTokens(body: unknown): number {
  return Math.ceil((JSON.stringify(body) ?? "").length / 4);
}
