/** A request to an endpoint other than the model's. */
interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

const endpoints: Readonly<Record<string, (body: unknown) => unknown>> = {
  "HEAD /": () => ({}),
  "GET /": () => ({ status: "ok" }),
  "GET /api/hello": () => ({ message: "hello" }),
  "GET /api/oauth/profile": () => profile,
  "POST /v1/messages/count_tokens": (body) => ({ input_tokens: countTokens(body) }),
};

/** The owner of a subscription login. Claude Code requests this owner once when it starts. */
const profile = {
  account: {
    uuid: "00000000-0000-4000-8000-000000000001",
    email: "rehearsal@example.com",
    full_name: "Rehearsal",
    display_name: "Rehearsal",
    has_claude_max: true,
    has_claude_pro: false,
    created_at: "2026-01-01T00:00:00Z",
  },
  organization: {
    uuid: "00000000-0000-4000-8000-000000000002",
    name: "Rehearsal",
    organization_type: "claude_max",
    rate_limit_tier: "default_claude_max_5x",
    has_extra_usage_enabled: false,
    billing_type: "stripe_subscription",
  },
};

const vertexCounting = /\/publishers\/anthropic\/models\/count-tokens:rawPredict$/;

/** Answers requests to the API's other endpoints, as far as clients need them. Returns `undefined` for an unknown endpoint. */
export function answerEndpoint({ method, path, body }: Endpoint): unknown {
  const name = `${method} ${path}`;
  if (Object.hasOwn(endpoints, name)) return endpoints[name]?.(body);
  return method === "POST" && vertexCounting.test(path) ? { input_tokens: countTokens(body) } : undefined;
}

/** Estimates the tokens of a body, at four characters per token. */
function countTokens(body: unknown): number {
  return Math.ceil((JSON.stringify(body) ?? "").length / 4);
}
