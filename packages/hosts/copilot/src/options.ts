import type { PriceTable } from "@bridle/host-shared";
import type { HostEnvironment } from "@bridle/protocol";

/** Who pays: the owner of a key of a model service, or the GitHub account that has Copilot. */
export const copilotAuthModes = ["api_key", "session"] as const;
export type CopilotAuthMode = (typeof copilotAuthModes)[number];

export const copilotApis = ["openai", "azure", "anthropic"] as const;
export type CopilotApi = (typeof copilotApis)[number];

export const wireApis = ["responses", "completions"] as const;
export type CopilotWireApi = (typeof wireApis)[number];

/** How Copilot's runtime reaches a model. */
export interface CopilotOptions {
  /** Default: `api_key`. */
  auth?: CopilotAuthMode | undefined;
  /** A token of the GitHub account, with `auth: session`. Default: the login that Copilot has stored in its file. */
  gitHubToken?: string | undefined;
  /** The GitHub that has the account of `gitHubToken`. Default: `github.com`. */
  gitHubHost?: string | undefined;
  /** The protocol of the model service. Default: `openai`. */
  api?: CopilotApi | undefined;
  /** Which of OpenAI's protocols the service speaks; for `openai` and `azure` only. Default: `responses`. */
  wireApi?: CopilotWireApi | undefined;
  /** Everything before `/responses`, `/chat/completions` or `/v1/messages`. Required for `azure`. Not with `auth: session`. */
  baseUrl?: string | undefined;
  /** The key of the model service, which pays. Not with `auth: session`. */
  apiKey?: string | undefined;
  /** Milliseconds without a message of the runtime until a turn fails. The time that tools take does not count. */
  idleTimeoutMs?: number | undefined;
  /** How often a request may fail temporarily until the turn fails. The runtime itself stops after six times. */
  maxAttempts?: number | undefined;
  /** The size of the model's window in tokens. Default with `auth: session`: the size that GitHub reports for the model. */
  contextWindow?: number | undefined;
  prices?: PriceTable | undefined;
  /** The variables of this program. The runtime gets those that describe the machine. Default: `process.env`. */
  environment?: HostEnvironment | undefined;
}
