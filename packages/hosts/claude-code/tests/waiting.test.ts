import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { HookCallback, HookCallbackMatcher, Options } from "@anthropic-ai/claude-agent-sdk";
import { createPolicy } from "@bridle/core";
import { type Approver, defineTool } from "@bridle/protocol";
import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { loop, startScript } from "./support/runs.ts";
import { modelRequests } from "./support/wire.ts";

type Change = (options: Options) => Options;

/** A change to the options, and the options with which the host was started. */
const tampering = vi.hoisted(() => ({ change: undefined as Change | undefined, used: [] as Options[] }));

vi.mock("@anthropic-ai/claude-agent-sdk", async (importOriginal) => {
  const sdk = await importOriginal<typeof import("@anthropic-ai/claude-agent-sdk")>();
  const query: typeof sdk.query = ({ prompt, options = {} }) => {
    tampering.used.push(options);
    return sdk.query({ prompt, options: tampering.change?.(options) ?? options });
  };
  return { ...sdk, query };
});

afterEach(() => {
  tampering.change = undefined;
  tampering.used = [];
});

/** Variables with which alone the host would end or abandon a call after a second. */
const shortLimits = {
  MCP_TOOL_TIMEOUT: "1000",
  CLAUDE_AUTO_BACKGROUND_TASKS: "1",
  CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS: "1000",
};
const afterTwoSeconds: Approver = () => new Promise((resolve) => setTimeout(resolve, 2000, { decision: "allow" }));

/** An approver that answers only when the answer is no longer needed. */
const never: Approver = (_approval, signal) =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve({ decision: "allow" })));

const file = "The word is heron.";
const written = "The line is written.";
const write = defineTool({ name: "write", description: "Writes.", input: z.object({}), execute: async () => written });

/** Runs with a model that reads a file with the host's tool, or writes with ours. The user approves the call. */
async function readOrWrite(tool: "Read" | "write", approve = afterTwoSeconds) {
  const call = tool === "Read" ? { call: "Read", with: { file_path: "note.txt" } } : { call: "write", with: {} };
  const { runtime, rehearsal, home } = await startScript(
    [call, { say: "Done" }],
    { extraEnvironment: shortLimits, pool: false },
    { policy: createPolicy({ mode: "ask" }), approve },
  );
  await writeFile(join(home.project, "note.txt"), file);
  const { events, result } = await loop(runtime, { builtins: ["Read"], tools: [write] });
  const told = JSON.stringify(modelRequests(rehearsal.requests).slice(1));
  const started = events.filter(({ type }) => type === "tool.started").length;
  return { told, started, stopReason: result.stopReason };
}

function withHook(change: Partial<HookCallbackMatcher>): Change {
  return (options) => {
    const matchers = options.hooks?.PreToolUse ?? [];
    return { ...options, hooks: { PreToolUse: matchers.map((matcher) => ({ ...matcher, ...change })) } };
  };
}

/** Changes the server's options, and also removes the variable that closes the same hole for all tools. */
function withServer(change: object): Change {
  return (options) => {
    const servers = Object.entries(options.mcpServers ?? {});
    return {
      ...options,
      env: { ...options.env, CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: undefined },
      mcpServers: Object.fromEntries(servers.map(([name, each]) => [name, { ...each, ...change }])),
    };
  };
}

test.each([
  ["of the host's own", "Read", file],
  ["of ours", "write", written],
] as const)("a person may take longer to approve a tool %s than the host's own limit", async (_, tool, expected) => {
  const { told, started, stopReason } = await readOrWrite(tool);
  expect(told).toContain(expected);
  expect({ started, stopReason }).toEqual({ started: 1, stopReason: "natural" });
  const [hook] = tampering.used[0]?.hooks?.PreToolUse ?? [];
  expect(hook?.timeout).toBeGreaterThan(86_400); // the host's default is 600 s, and no variable shortens it
});

test.each([
  ["disableAutoBackground", { disableAutoBackground: false }],
  ["timeout", { disableAutoBackground: true, timeout: undefined }],
])("without %s of the tool server the model continues without the result of a waiting call", async (_, change) => {
  tampering.change = withServer(change);
  expect(await readOrWrite("write", never)).toMatchObject({ started: 0, stopReason: "natural" });
});

test("an approval that the host abandons is a denial", async () => {
  tampering.change = withHook({ timeout: 1 });
  const { told, started, stopReason } = await readOrWrite("Read", never);
  expect(told).not.toContain(file);
  expect({ started, stopReason }).toEqual({ started: 0, stopReason: "natural" });
});

const failing: HookCallback = async () => {
  throw new Error("the hook is broken");
};

test("a hook that fails denies the call", async () => {
  tampering.change = withHook({ hooks: [failing] });
  expect((await readOrWrite("Read")).told).not.toContain(file);
});

test("without onFailure the host runs a call whose hook fails", async () => {
  tampering.change = withHook({ hooks: [failing], onFailure: "continue" });
  expect((await readOrWrite("Read")).told).toContain(file);
});
