import { fakeAccount, refreshedTokens } from "./chatgpt-account.ts";

/** The account is not bound to a region, so its requests go to the usual address. */
const unbound = "NO_CONSTRAINT";

/** An answer of an endpoint other than the model's. */
interface EndpointAnswer {
  readonly status: number;
  readonly body: unknown;
}

type Endpoint = (body: unknown, now: number) => EndpointAnswer;

const endpoints: Readonly<Record<string, Endpoint>> = {
  // Codex requests this before its first model request, to find out where the account's requests go.
  "GET /backend-api/wham/accounts/check": () => ok(accounts),
  "GET /backend-api/wham/settings/user": () => ok({}),
  "POST /oauth/token": refresh,
};

const accounts = {
  accounts: [
    {
      id: fakeAccount,
      plan_type: "plus",
      structure: "personal",
      workspace_backend_origin: unbound,
      account_routing_override: unbound,
    },
  ],
  account_ordering: [fakeAccount],
  default_account_id: fakeAccount,
};

function ok(body: unknown): EndpointAnswer {
  return { status: 200, body };
}

/** Answers a request for new tokens, which Codex sends if the service has refused its access token. */
function refresh(body: unknown, now: number): EndpointAnswer {
  const given: unknown = typeof body === "object" && body !== null ? Reflect.get(body, "refresh_token") : undefined;
  const tokens = refreshedTokens(String(given), now);
  if (tokens) return ok(tokens);
  const message = "Your session has ended. Please log in again.";
  return { status: 401, body: { error: { message, type: "invalid_request_error", code: "refresh_token_expired" } } };
}

/** Answers requests to ChatGPT's other endpoints, as far as Codex needs them. Returns `undefined` for an unknown endpoint. */
export function answerChatGptEndpoint(
  { method, path, body }: { method: string; path: string; body: unknown },
  now: number,
): EndpointAnswer | undefined {
  const name = `${method} ${path.split("?")[0]}`;
  return Object.hasOwn(endpoints, name) ? endpoints[name]?.(body, now) : undefined;
}
