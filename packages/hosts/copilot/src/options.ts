import type { PriceTable } from "@bridle/host-shared";
import type { HostEnvironment } from "@bridle/protocol";

/** Who pays: the owner of a model service's key, or the GitHub account that has Copilot. */
export const copilotAuthModes = ["api_key", "session"] as const;
export type CopilotAuthMode = (typeof copilotAuthModes)[number];

export const copilotApis = ["openai", "azure", "anthropic"] as const;
export type CopilotApi = (typeof copilotApis)[number];

export const wireApis = ["responses", "completions"] as const;
export type CopilotWireApi = (typeof wireApis)[number];

/** How Copilot's runtime reaches a model. */
export interface CopilotOptions {
  /** Who pays. Default: `api_key`. */
  auth?: CopilotAuthMode | undefined;
  /** With `auth: session`: a token of the GitHub account. Default: the login that Copilot has stored in its file. */
  gitHubToken?: string | undefined;
  /** The host name of the GitHub that the account of `gitHubToken` belongs to. Default: `github.com`. */
  gitHubHost?: string | undefined;
  /** The protocol of the model service. Default: `openai`. */
  api?: CopilotApi | undefined;
  /** Which of OpenAI's protocols the service speaks; for `openai` and `azure` only. Default: `responses`. */
  wireApi?: CopilotWireApi | undefined;
  /**
   * The part of the address before `/responses`, `/chat/completions` or `/v1/messages`. Required for `azure`. Not allowed with `auth:
   * session`.
   */
  baseUrl?: string | undefined;
  /** The key of the model service. Its owner pays. Not allowed with `auth: session`. */
  apiKey?: string | undefined;
  /** Milliseconds without a message from the runtime after which a turn fails. The time that tools take does not count. */
  idleTimeoutMs?: number | undefined;
  /** After how many temporary failures of a request the turn fails. The runtime itself stops after six. */
  maxAttempts?: number | undefined;
  /** The size of the model's window in tokens. Default with `auth: session`: the size that GitHub reports for the model. */
  contextWindow?: number | undefined;
  prices?: PriceTable | undefined;
  /** This program's variables. The runtime gets only those that describe the machine. Default: `process.env`. */
  environment?: HostEnvironment | undefined;
}
