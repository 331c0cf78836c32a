import type { Arrival } from "../protocol/protocol.ts";
import { fakeGitHubAccount, fakeGitHubToken } from "./account.ts";

interface Asked extends Pick<Arrival, "path" | "headers"> {
  readonly method: string;
}

interface EndpointAnswer {
  readonly status: number;
  readonly body: unknown;
}

const usualModels = ["gpt-6-sol", "gpt-6-luna", "claude-sonnet-5"];

/** Whether Copilot's runtime sent a request to its model service. */
export function isCopilotRequest(headers: Arrival["headers"]): boolean {
  return headers["copilot-integration-id"] !== undefined;
}

/** Answers requests to GitHub about an account and its models. Returns `undefined` for other endpoints. */
export function answerCopilotEndpoint(
  { method, path, headers }: Asked,
  names: readonly string[] = [],
): EndpointAnswer | undefined {
  if (method !== "GET") return undefined;
  if (path === "/copilot_internal/user") {
    if (headers.authorization === `Bearer ${fakeGitHubToken}`) return { status: 200, body: fakeGitHubAccount };
    return { status: 401, body: { message: "Bad credentials", status: "401" } };
  }
  if (path !== "/models" || !isCopilotRequest(headers)) return undefined;
  return { status: 200, body: { data: (names.length > 0 ? names : usualModels).map(toModel) } };
}

const limits = { max_context_window_tokens: 200_000, max_prompt_tokens: 180_000, max_output_tokens: 16_000 };
const supports = { streaming: true, tool_calls: true, parallel_tool_calls: true, vision: true };

function toModel(id: string) {
  const capabilities = {
    family: id,
    type: "chat",
    object: "model_capabilities",
    tokenizer: "o200k_base",
    limits,
    supports,
  };
  return {
    id,
    name: id,
    object: "model",
    vendor: "rehearsal",
    version: "1",
    model_picker_enabled: true,
    capabilities,
    supported_endpoints: ["/responses"],
    policy: { state: "enabled", terms: "" },
  };
}
