import { toOpenAIErrorReply } from "../openai/errors.ts";
import { openaiResponses } from "../openai-responses/protocol.ts";
import type { Protocol } from "../protocol/protocol.ts";
import type { Limit } from "../script/script.ts";
import { isCopilotRequest } from "./endpoints.ts";

/** OpenAI Responses for a GitHub account. The account's plan includes a monthly quota, and the headers report how much is left. */
export const copilotResponses: Protocol = {
  ...openaiResponses,
  name: "copilot-responses",
  path: /^\/responses$/,
  isFor: isCopilotRequest,
  error: (fault) => (fault.isLimit ? { body: { error: usedUp } } : toOpenAIErrorReply(fault)),
  limitHeaders: (limit, now) => ({ "x-quota-snapshot-premium_interactions": toSnapshot(limit, now) }),
};

const usedUp = { message: "You have no quota", code: "quota_exceeded" };

/** Writes a limit in the format that Copilot's runtime 1.0.85 reads. */
function toSnapshot({ resetsInSeconds, status, utilization }: Limit, now: number): string {
  const used = utilization ?? (status === "rejected" ? 1 : 0);
  const rest = (100 * (1 - used)).toFixed(1);
  const reset = new Date(now + resetsInSeconds * 1000).toISOString();
  return new URLSearchParams({ ent: "300", ov: "0.0", ovPerm: "false", rem: rest, rst: reset }).toString();
}
