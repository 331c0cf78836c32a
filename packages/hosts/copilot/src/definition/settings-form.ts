// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how files refer to the environment
import { type HostConfig, type HostSettingsForm, settingFields } from "@bridle/protocol";
import { z } from "zod";
import {
  type CopilotApi,
  type CopilotAuthMode,
  type CopilotWireApi,
  copilotApis,
  copilotAuthModes,
  wireApis,
} from "../options.ts";

const { address, count, key, text } = settingFields;

/** The parsed keys of `llm.provider` for Copilot. */
export interface CopilotConfig extends HostConfig {
  readonly auth: CopilotAuthMode;
  readonly gitHubToken?: string;
  readonly gitHubHost?: string;
  readonly api: CopilotApi;
  readonly wireApi?: CopilotWireApi;
  readonly apiKey?: string;
  readonly baseUrl?: string;
  readonly contextWindow?: number;
  readonly idleTimeoutMs?: number;
}

export const copilotSettings: HostSettingsForm = {
  shape: {
    auth: z
      .enum(copilotAuthModes)
      .default("api_key")
      .describe("The account that pays: the owner of apiKey (api_key), or a GitHub account with Copilot (session)."),
    gitHubToken: text(
      "A token of the GitHub account, such as ${COPILOT_GITHUB_TOKEN}. Only with auth: session. Default: the login that Copilot has stored.",
    ),
    gitHubHost: z
      .string()
      .regex(/^[a-z0-9.-]+$/i, "must be the name of a host, such as acme.ghe.com")
      .exactOptional()
      .describe("The GitHub host of gitHubToken, such as acme.ghe.com. Default: github.com."),
    api: z
      .enum(copilotApis)
      .default("openai")
      .describe("The protocol of the model service. Use openai for compatible servers, too, such as Ollama."),
    wireApi: z
      .enum(wireApis)
      .exactOptional()
      .describe("The OpenAI protocol of the service. Not with api: anthropic. Default: responses."),
    apiKey: key("OPENAI_API_KEY"),
    baseUrl: address("The address for requests, instead of the service's own address. Required with api: azure."),
    contextWindow: count(
      "The size of the model's window in tokens. Bridle compacts a session before the window is full. Default: not known.",
    ),
    idleTimeoutMs: count(
      "Milliseconds without output from Copilot's runtime after which a run ends. The time of tool calls does not count. Default: 300000.",
    ),
  },
  check: ({ value, issues }) => {
    const problem = findProblem(value);
    if (problem) issues.push({ code: "custom", input: value, path: [problem.key], message: problem.message });
  },
  secretKeys: ["apiKey", "gitHubToken"],
  plainKeys: ["auth", "api", "wireApi", "contextWindow", "idleTimeoutMs"],
};

function findProblem(value: object): { key: string; message: string } | undefined {
  const [api, wireApi, baseUrl] = ["api", "wireApi", "baseUrl"].map((name) => Reflect.get(value, name));
  if (api === "anthropic" && wireApi !== undefined) {
    return { key: "wireApi", message: "cannot be combined with api: anthropic, which has one protocol. Remove it." };
  }
  if (api === "azure" && baseUrl === undefined) {
    const example = "https://my-resource.openai.azure.com";
    return {
      key: "baseUrl",
      message: `is required with api: azure. Set it to the address of the resource, such as ${example}.`,
    };
  }
  return undefined;
}
