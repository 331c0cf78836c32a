import { type HostConfig, type HostSettingsForm, settingFields } from "@bridle/protocol";
import { z } from "zod";
import { type ClaudeAuthMode, claudeAuthModes } from "../options.ts";
import type { PoolOptions } from "../pool-limits.ts";

const { address, count } = settingFields;

/** The parsed keys of `llm.provider` for Claude Code. */
export interface ClaudeCodeConfig extends HostConfig {
  readonly auth: ClaudeAuthMode;
  readonly baseUrl?: string;
  readonly idleTimeoutMs?: number;
  readonly pool?: false | PoolOptions;
}

const pool = z
  .union([
    z.literal(false),
    z.strictObject({
      maxProcesses: count("The maximum number of processes to keep. Default: 8."),
      maxCalls: count("The number of calls that one process serves, one after another. Default: 100."),
      idleMs: count("Milliseconds that an idle process waits for its next call. Default: 60000."),
      maxBytes: count("The maximum bytes of memory of a process that is kept. Default: 600000000."),
    }),
  ])
  .optional()
  .describe("Claude Code processes that are kept for later calls. false: one new process for each call.");

export const claudeCodeSettings: HostSettingsForm = {
  shape: {
    auth: z
      .enum(claudeAuthModes)
      .default("session")
      .describe(
        "The account that pays: the login of Claude Code on this machine (session), or a credential from the environment.",
      ),
    baseUrl: address("The address for requests, instead of the provider's own address. Not with auth: session."),
    idleTimeoutMs: count(
      "Milliseconds without output from Claude Code after which a run ends. The time of tool calls does not count. Default: 300000.",
    ),
    pool,
  },
  plainKeys: ["auth", "idleTimeoutMs", "pool"],
};
