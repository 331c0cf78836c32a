/** The features of Claude Code, and the text that Claude Code adds to requests (observed on 2.1.330). */
import type { BackendFeatures } from "@bridle/protocol";
import type { ClaudeAuthMode } from "./options.ts";
import { settingNames } from "./settings/host-settings.ts";
import { hostTools } from "./tools/host-tools.ts";

const features: BackendFeatures = {
  structuredOutput: true,
  history: true,
  parts: ["text", "image", "file"],
  resultImages: true,
  outstandingCalls: "overlapping",
  offersLater: true,
  maxOutputTokens: true,
  sampling: false,
  costBudget: true,
  builtins: hostTools,
  hostSettings: settingNames,
  promptCaching: ["enabled"],
  maxResultChars: 45_000, // from 50,000 on, the host writes a result to a file that the model cannot read
  degraded: [
    "The model repairs a malformed tool call in its next step, not within the same response.",
    "Prompt caching can only be switched off as a whole. The host sets the marks for tools and history, and lifetimes.",
    "Sampling parameters such as temperature cannot be set.",
    "Approvals of calls that may change something are requested one after another, each after the previous one is settled.",
  ],
};

/**
 * With a login, Claude Code adds the account's address to the prompt. With a token, it adds the address of the stored login, if there is
 * one.
 */
const emailDegraded =
  "With a login, Claude Code sends the account's email address to the model; with auth: oauth_token only if a login is also stored.";

export function backendFeatures(auth: ClaudeAuthMode): BackendFeatures {
  return auth === "session" ? { ...features, degraded: [...features.degraded, emailDegraded] } : features;
}

/** Texts that Claude Code adds to every request. */
export const hostAdditions: readonly string[] = [
  "a line with the statement that the agent is built on the Claude Agent SDK",
  "a description of the environment: working directory, platform, shell, model and date",
  "a header line with the versions of the host",
  "if an answer was cut, empty, withheld or without its object, a note that makes the model continue",
];

export const emailAddition = "the email address of the account";

export const subagentAddition =
  "to the prompt of a subagent, the host's own instructions about files, commands and answers";
