import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { isSoak, sampleOf } from "../../../../tests/support/soak.ts";
import type { EvidencePart } from "../src/proof/evidence.ts";
import { proveOnSession } from "./support/prove-on-session.ts";
import { all, type Change, withEnvironment, withOptions, without, withSettings } from "./support/tampering.ts";

const tampering = vi.hoisted(() => ({
  change: undefined as Change | undefined,
  /** Makes the host's report of its configuration match the request, so that only the other checks can find a hole. */
  blindInit: false,
}));

vi.mock("@anthropic-ai/claude-agent-sdk", async (importOriginal) => {
  const sdk = await importOriginal<typeof import("@anthropic-ai/claude-agent-sdk")>();
  const query: typeof sdk.query = ({ prompt, options = {} }) => {
    const changed = tampering.change?.(options) ?? options;
    const messages = sdk.query({ prompt, options: changed });
    if (!tampering.blindInit) return messages;
    return new Proxy(messages, {
      get: (target, key) =>
        key === Symbol.asyncIterator ? () => blind(target) : Reflect.get(target, key).bind(target),
    });
  };
  return { ...sdk, query };
});

async function* blind(messages: AsyncIterable<SDKMessage>): AsyncGenerator<SDKMessage> {
  for await (const message of messages) {
    const isInit = message.type === "system" && message.subtype === "init";
    yield isInit
      ? { ...message, tools: message.tools.filter((name) => name === "mcp__bridle__look_up"), plugins: [] }
      : message;
  }
}

/** The temporary folder of this process. If a change removes the host's own `env`, the host leaves files there. */
const temporary = mkdtempSync(join(tmpdir(), "bridle-boundary-tests-"));
vi.stubEnv("TMPDIR", temporary);
afterAll(() => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 }));

afterEach(() => {
  tampering.change = undefined;
  tampering.blindInit = false;
});

async function failing(parts: readonly EvidencePart[], change: Change): Promise<string[]> {
  tampering.change = change;
  return (await proveOnSession(parts)).failed;
}

test("on a login, among traps in the home, the project and the environment, the boundary holds", async () => {
  const { findings, hosts, paths } = await proveOnSession();
  for (const { title, detail } of findings) expect.soft(detail, title).toBe("");
  expect(hosts).toEqual(["api.anthropic.com"]);
  expect(paths).toEqual(["/api/oauth/profile", "/v1/messages"]);
});

describe("the proof fails if a line of the boundary is removed:", () => {
  const settingsLoaded = without("settingSources");
  const bundledSkills = withSettings({ disableBundledSkills: false });
  const variable = "trap-variable-word";

  /** Variables that the allow-list keeps out, like the API key below. */
  const otherVariables: readonly [string, EvidencePart, Change, string[]][] = [
    [
      "the allow-list of variables: custom headers",
      "sweep",
      withEnvironment({ ANTHROPIC_CUSTOM_HEADERS: `x-trap: ${variable}` }),
      ["environment"],
    ],
    [
      "the allow-list of variables: another model",
      "sweep",
      withEnvironment({ ANTHROPIC_DEFAULT_SONNET_MODEL: `claude-${variable}` }),
      ["environment"],
    ],
  ];

  test.each<[string, EvidencePart, Change, string[]]>([
    ...(isSoak ? otherVariables : []),
    ["settingSources: []", "sweep", settingsLoaded, ["instructions", "settings", "hooks"]],
    ["tools: [] and disallowedTools", "sweep", without("tools", "disallowedTools"), ["came-up", "tools"]],
    ["skills: [] and disableBundledSkills", "skills", all(without("skills"), bundledSkills), ["extensions"]],
    ["enabledPlugins: false for each built-in one", "sweep", withSettings({ enabledPlugins: {} }), ["came-up"]],
    [
      "strictMcpConfig, and settingSources before it",
      "sweep",
      all(settingsLoaded, without("strictMcpConfig")),
      ["mcp"],
    ],
    ["verbatimPrompts", "prompts", without("verbatimPrompts"), ["prompts"]],
    [
      "autoMemoryEnabled: false and CLAUDE_CODE_DISABLE_AUTO_MEMORY",
      "sweep",
      all(
        withSettings({ autoMemoryEnabled: undefined }),
        withEnvironment({ CLAUDE_CODE_DISABLE_AUTO_MEMORY: undefined }),
      ),
      ["memory"],
    ],
    ["env, which the SDK then takes from this process", "sweep", without("env"), ["came-up"]],
    [
      "the allow-list of variables: a key beside the login",
      "sweep",
      withEnvironment({ ANTHROPIC_API_KEY: variable }),
      ["came-up", "environment"],
    ],
    ["ENABLE_TOOL_SEARCH=false", "sweep", withEnvironment({ ENABLE_TOOL_SEARCH: undefined }), ["tools"]],
    [
      "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
      "sweep",
      withEnvironment({ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: undefined }),
      ["came-up"],
    ],
    ["the permission for our own tools", "sweep", withSettings({ permissions: {} }), ["came-up"]],
    ["cwd", "sweep", without("cwd"), ["place"]],
    ["persistSession: false", "sweep", without("persistSession"), ["traces"]],
    ["the separate folder for caches", "sweep", withEnvironment({ XDG_CACHE_HOME: undefined }), ["traces"]],
  ])("%s", async (_line, part, change, expected) => {
    expect(await failing([part], change)).toEqual(expect.arrayContaining(expected));
  });
});

describe("each redundant line of the boundary holds alone:", () => {
  test("strictMcpConfig keeps servers from starting although the settings are loaded", async () => {
    expect(await failing(["sweep"], without("settingSources"))).not.toContain("mcp");
  });

  test("disableBundledSkills alone, and skills: [] alone, keep skills from the model", async () => {
    expect(await failing(["skills"], without("skills"))).toEqual([]);
    expect(await failing(["skills"], withSettings({ disableBundledSkills: false }))).toEqual([]);
  });

  const redundant: readonly [line: string, change: Change][] = [
    ["canUseTool", without("canUseTool")],
    ["plugins: []", without("plugins")],
    ["permissionMode", without("permissionMode")],
    ["DISABLE_AUTOUPDATER", withEnvironment({ DISABLE_AUTOUPDATER: undefined })],
    ["autoMemoryEnabled", withSettings({ autoMemoryEnabled: undefined })],
    ["CLAUDE_CODE_DISABLE_AUTO_MEMORY", withEnvironment({ CLAUDE_CODE_DISABLE_AUTO_MEMORY: undefined })],
  ];

  test.each(sampleOf(redundant, 3))("without %s the others still close what it closes", async (_line, change) => {
    expect(await failing(["sweep"], change)).toEqual([]);
  });

  test("tools: [] alone, and disallowedTools alone, keep the host's tools away", async () => {
    expect(await failing(["sweep"], without("tools"))).toEqual([]);
    expect(await failing(["sweep"], without("disallowedTools"))).toEqual([]);
  });

  const open = all(
    without("tools", "disallowedTools", "canUseTool"),
    withOptions({ permissionMode: "bypassPermissions", allowDangerouslySkipPermissions: true }),
    // Claude Code refuses to bypass permissions for root unless a variable marks a sandbox.
    withEnvironment({ IS_SANDBOX: "1" }),
  );

  test("the PreToolUse hook alone lets nothing run when tools are offered and permissions are bypassed", async () => {
    tampering.blindInit = true;
    expect(await failing(["sweep"], open)).not.toContain("builtins");
  });

  test("without that hook, a call of the model runs", async () => {
    tampering.blindInit = true;
    expect(await failing(["sweep"], all(open, without("hooks")))).toContain("builtins");
  });
});
