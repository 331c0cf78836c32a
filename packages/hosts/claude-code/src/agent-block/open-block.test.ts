import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentBlockContext } from "@bridle/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { claudeConfig } from "./claude-config.ts";
import { openClaude } from "./open-block.ts";

let baseDir: string;
beforeAll(async () => {
  baseDir = await mkdtemp(join(tmpdir(), "bridle-claude-"));
  await mkdir(join(baseDir, "inner"));
  await mkdir(join(baseDir, "home/.claude"), { recursive: true });
  await writeFile(join(baseDir, "helper.md"), "You help.\n");
  await writeFile(join(baseDir, "empty.md"), "\n");
  await writeFile(join(baseDir, "CLAUDE.md"), "the project's words");
});
afterAll(() => rm(baseDir, { recursive: true, force: true }));

function open(config: object, around: Partial<AgentBlockContext> = {}) {
  return openClaude(claudeConfig.parse(config), {
    model: "sonnet",
    tools: ["lookup"],
    baseDir,
    projectDir: baseDir,
    environment: { HOME: join(baseDir, "home") },
    ...around,
  });
}

const plain = { builtins: [], hostSettings: {}, rules: [], warnings: [] };

test("an empty block opens and sets nothing", async () => {
  expect(await open({})).toEqual({ ...plain, offers: expect.any(Function) });
});

test.each([
  [{ file_system: { read: true } }, ["Read", "Glob", "Grep"]],
  [{ file_system: { write: true } }, ["Write"]],
  [{ file_system: { read: true, edit: true } }, ["Read", "Glob", "Grep", "Edit"]],
  [{ file_system: { read: false, write: false } }, []],
  [{ bash: { enabled: true } }, ["Bash"]],
  [{ bash: { enabled: false } }, []],
  [{ bash: {} }, []],
  [{ web_search: true }, ["WebSearch"]],
  [{ web_search: false }, []],
  [{ agents: { helper: { description: "Helps.", prompt: "You help." } } }, ["Agent"]],
  [{ agents: {} }, []],
  [{ bash: { enabled: true }, web_search: true, disallowed_tools: ["Bash"] }, ["WebSearch"]],
  [{ bash: { enabled: true }, web_search: true, allowed_tools: ["Bash"] }, ["Bash"]],
])("%j opens exactly %j", async (config, builtins) => {
  expect((await open(config)).builtins).toEqual(builtins);
});

test.each([
  [{ effort: "low" }, { hostSettings: { effort: "low" } }],
  [{ fallback_model: "haiku" }, { hostSettings: { fallbackModel: "haiku" } }],
  [{ max_turns: 3 }, { stepBudget: 3 }],
  [{ max_budget_usd: 0.5 }, { maxCostUsd: 0.5 }],
  [{ permission_mode: "manual" }, { mode: "normal", rules: [] }],
  [{ permission_mode: "acceptAll", i_understand_this_is_unsafe: true }, { mode: "yolo" }],
])("%j becomes %j", async (config, parts) => {
  expect(await open(config)).toMatchObject(parts);
});

test("acceptEdits allows Write and Edit if they are opened", async () => {
  const file_system = { read: true, write: true, edit: true };
  expect(await open({ permission_mode: "acceptEdits", file_system })).toMatchObject({
    mode: "normal",
    rules: [
      { tool: "Write", then: "allow" },
      { tool: "Edit", then: "allow" },
    ],
  });
  expect((await open({ permission_mode: "acceptEdits" })).rules).toEqual([]);
});

test("allowed_tools and disallowed_tools narrow the agent's own tools too", async () => {
  const tools = ["lookup", "refund"];
  const { offers } = await open({ allowed_tools: ["lookup"] }, { tools });
  expect(tools.filter(offers)).toEqual(["lookup"]);
  const without = await open({ disallowed_tools: ["lookup"] }, { tools });
  expect(tools.filter(without.offers)).toEqual(["refund"]);
});

test("extended thinking is set if the model supports it, otherwise it is a warning", async () => {
  const config = { extended_thinking: { enabled: true, budget_tokens: 2000 } };
  expect(await open(config, { model: "claude-haiku-4-5" })).toMatchObject({
    hostSettings: { thinking: { budgetTokens: 2000 } },
    warnings: [],
  });
  expect(await open({ extended_thinking: { enabled: false } }, { model: "claude-sonnet-5" })).toMatchObject({
    hostSettings: { thinking: false },
  });
  expect(await open(config)).toMatchObject({
    hostSettings: {},
    warnings: [
      "claude.extended_thinking has no effect: the model sonnet decides by itself how much it thinks. Use claude.effort.",
    ],
  });
  expect((await open({ effort: "low" }, { model: "claude-haiku-4-5" })).warnings).toEqual([
    expect.stringContaining("claude.effort has no effect: the model claude-haiku-4-5 does not support it."),
  ]);
});

test("the working directory is from the agent's folder on", async () => {
  const { hostSettings } = await open({ working_directory: "inner" });
  expect(hostSettings).toEqual({ workingDirectory: join(baseDir, "inner") });
});

test("agents have their instructions from the file or from a file of theirs", async () => {
  const agents = {
    one: { description: "One.", prompt: "You are one.", tools: ["lookup"], model: "haiku" },
    two: { description: "Two.", prompt_file: "helper.md" },
  };
  expect((await open({ agents })).hostSettings).toEqual({
    agents: { one: agents.one, two: { description: "Two.", prompt: "You help." } },
  });
});

test("subagents that nothing can call are a warning", async () => {
  const agents = { one: { description: "One.", prompt: "You are one." } };
  const { builtins, hostSettings, warnings } = await open({ agents, allowed_tools: ["lookup"] });
  expect({ builtins, hostSettings }).toEqual({ builtins: [], hostSettings: {} });
  expect(warnings).toEqual([
    "claude.agents has no effect: allowed_tools or disallowed_tools leaves out the tool Agent, which the model needs to call them. Offer Agent, or remove agents.",
  ]);
});

test("a setting source is a warning, and the CLAUDE.md that it lets through another", async () => {
  expect(await open({ setting_sources: ["all"] })).toMatchObject({
    hostSettings: { settingSources: ["user", "project", "local"] },
    warnings: [
      expect.stringMatching(/opens Claude Code's settings of user, project, local: their hooks run/),
      `claude.setting_sources sends the content of ${join(baseDir, "CLAUDE.md")} to the model.`,
    ],
  });
  expect((await open({ setting_sources: ["user"] })).warnings).toHaveLength(1);
  expect((await open({ setting_sources: [] })).hostSettings).toEqual({});
});

const helper = { description: "Helps.", prompt: "You help." };

test.each([
  [
    { permission_mode: "manual" },
    { policyMode: "auto" as const },
    /permission_mode is manual, and policy\.mode is auto\. Keep one/,
  ],
  [
    { allowed_tools: ["lokup"] },
    {},
    /allowed_tools names the tool "lokup", which is not opened\. Did you mean "lookup"\?/,
  ],
  [
    { disallowed_tools: ["Bash"] },
    {},
    /disallowed_tools names the tool "Bash", which is not opened\. The agent's tools/,
  ],
  [{ working_directory: "outer" }, {}, /working_directory is outer, which is not a folder/],
  [
    { agents: { a: { ...helper, tools: ["lokup"] } } },
    {},
    /^claude\.agents\.a\.tools names the tool "lokup".*Did you mean "lookup"/,
  ],
  [{ agents: { a: { ...helper, tools: ["Agent"] } } }, {}, /a subagent starts no others/],
  [
    { agents: { a: { description: "A.", prompt_file: "none.md" } } },
    {},
    /prompt_file is none\.md, which cannot be read: ENOENT/,
  ],
  [{ agents: { a: { description: "A.", prompt_file: "empty.md" } } }, {}, /prompt_file is empty\.md, which is empty/],
])("%j with %j is refused in a sentence", async (config, around, sentence) => {
  await expect(open(config, around)).rejects.toMatchObject({
    code: "config",
    message: expect.stringMatching(sentence),
  });
});

test.each([
  [{ permission_mode: "acceptAll" }, "allows every call without asking. Add i_understand_this_is_unsafe: true"],
  [{ permission_mode: "none" }, "Invalid option"],
  [{ bash: { enabled: true, excluded_commands: ["rm"] } }, "a list of commands does not protect a shell"],
  [{ bash: { allow_unsafe: true } }, "is not supported: Bash does not run in a sandbox"],
  [{ file_system: { edit: true } }, "also needs read: true"],
  [{ extended_thinking: { enabled: true, budget_tokens: 10 } }, ">=1024"],
  [{ extended_thinking: { budget_tokens: 2000 } }, "is for enabled: true. Add that, or remove it."],
  [{ max_turns: 0 }, ">=1"],
  [{ max_budget_usd: 0 }, ">0"],
  [{ effort: "huge" }, "Invalid option"],
  [{ agents: { a: { description: "A." } } }, "has no prompt. Write one."],
  [{ agents: { a: { ...helper, prompt_file: "a.md" } } }, "has both prompt and prompt_file. Keep one."],
  [{ agents: { a: { ...helper, model: "claude-haiku-4-5" } } }, "Invalid option"],
  [{ setting_sources: ["all", "user"] }, 'has \\"all\\" and other layers'],
  [{ subagents: {} }, "is not supported: name the subagents in agents"],
  [{ max_concurrent_sessions: 3 }, "is not supported: set the number of concurrent runs"],
  [{ session_memory_estimate_mib: 300 }, "is not supported: set the number of waiting processes"],
  [{ web_serch: true }, "web_serch"],
])("the block %j is no block: %s", (config, sentence) => {
  expect(claudeConfig.safeParse(config).error?.message).toContain(sentence);
});
