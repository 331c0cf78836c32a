import type { PriceTable } from "@bridle/host-shared";
import type { HostEnvironment } from "@bridle/protocol";

export const copilotApis = ["openai", "azure", "anthropic"] as const;
export type CopilotApi = (typeof copilotApis)[number];

export const wireApis = ["responses", "completions"] as const;
export type CopilotWireApi = (typeof wireApis)[number];

/** How Copilot's runtime reaches a model. The key's owner pays; the runtime needs no login of GitHub for this. */
export interface CopilotOptions {
  /** The protocol of the model service. Default: `openai`. */
  api?: CopilotApi | undefined;
  /** Which of OpenAI's protocols the service speaks; for `openai` and `azure` only. Default: `responses`. */
  wireApi?: CopilotWireApi | undefined;
  /** Everything before `/responses`, `/chat/completions` or `/v1/messages`. Required for `azure`. */
  baseUrl?: string | undefined;
  apiKey?: string | undefined;
  /** Milliseconds without a message of the runtime until a turn fails. The time that tools take does not count. */
  idleTimeoutMs?: number | undefined;
  /** How often a request may fail in a way that may pass until the turn fails. The runtime itself stops after six. */
  maxAttempts?: number | undefined;
  /** The size of the model's window in tokens, if it is not in Bridle's table. */
  contextWindow?: number | undefined;
  prices?: PriceTable | undefined;
  /** The variables of this program. The runtime gets those that describe the machine. Default: `process.env`. */
  environment?: HostEnvironment | undefined;
}
