import { type HostConfig, type HostSettingsForm, settingFields } from "@bridle/protocol";
import { z } from "zod";
import { type ClaudeAuthMode, claudeAuthModes } from "../options.ts";
import type { PoolOptions } from "../pool/limits.ts";

const { address, count } = settingFields;

/** The keys of `llm.provider` for Claude Code, checked. */
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
      maxProcesses: count("Processes that are kept at a time. Default: 8."),
      maxCalls: count("Calls that one process serves, one after another. Default: 100."),
      idleMs: count("Milliseconds that a process waits for its next call. Default: 60000."),
      maxBytes: count("Bytes of memory beyond which a process is not kept. Default: 600000000."),
    }),
  ])
  .optional()
  .describe("Processes of Claude Code that wait for calls. false: one for each call, which ends with it.");

export const claudeCodeSettings: HostSettingsForm = {
  shape: {
    auth: z
      .enum(claudeAuthModes)
      .default("session")
      .describe("Who pays: the login of Claude Code on this machine (session), or a credential of the environment."),
    baseUrl: address("The address for requests, instead of the provider's own address. Not with auth: session."),
    idleTimeoutMs: count(
      "Milliseconds without output from Claude Code after which a run ends. The time of tool calls does not count. Default: 300000.",
    ),
    pool,
  },
  plainKeys: ["auth", "idleTimeoutMs", "pool"],
};
