/** Runs the real Claude Code with a temporary home and configuration, independent of this machine. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Options, query, type SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { onTestFinished } from "vitest";
import { defineScript, type Rehearsal, type ScriptInput, startRehearsal } from "../src/index.ts";

export type Turns = ScriptInput["turns"];

/** Starts a rehearsal and creates a temporary folder. Both are removed after the test. */
export async function prepare(turns: Turns): Promise<{ rehearsal: Rehearsal; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), "bridle-rehearsal-"));
  const rehearsal = await startRehearsal({ script: defineScript({ rehearsal: 1, turns }) });
  onTestFinished(async () => {
    await rehearsal.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return { rehearsal, folder };
}

export interface Run {
  readonly prompt?: Parameters<typeof query>[0]["prompt"];
  readonly folder: string;
  readonly environment: Record<string, string>;
  readonly options?: Options;
}

/**
 * Returns every message of one run. Claude Code throws after a result that is an error. The result contains the reason, so the exception is
 * ignored.
 */
export async function runClaudeCode({ prompt = "hello", folder, environment, options }: Run): Promise<SDKMessage[]> {
  const messages: SDKMessage[] = [];
  const env = {
    ...quiet,
    ...environment,
    PATH: process.env.PATH,
    HOME: folder,
    CLAUDE_CONFIG_DIR: configOf(folder),
  };
  try {
    for await (const message of query({ prompt, options: { ...closed, cwd: folder, env, ...options } }))
      messages.push(message);
  } catch (error) {
    if (!messages.some(({ type }) => type === "result")) throw error;
  }
  return messages;
}

export const configOf = (folder: string) => join(folder, "config");

const quiet = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
  ENABLE_TOOL_SEARCH: "false",
};

const closed: Options = {
  model: "sonnet",
  tools: [],
  skills: [],
  plugins: [],
  settingSources: [],
  strictMcpConfig: true,
  persistSession: false,
  permissionMode: "dontAsk",
  systemPrompt: "You are a test.",
  maxTurns: 6,
};
