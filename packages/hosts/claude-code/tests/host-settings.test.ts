import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LoopRequest, PolicyCall } from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { loop, type ScriptedContext, startScript, startScriptTurns } from "./support/runs.ts";
import { sentRequests } from "./support/test-context.ts";
import { linesOf, modelRequests } from "./support/wire.ts";

const wire = z.looseObject({
  model: z.string(),
  thinking: z.unknown().optional(),
  output_config: z.unknown().optional(),
});

const bodiesOf = ({ rehearsal }: ScriptedContext) =>
  rehearsal.requests.filter(({ path }) => path === "/v1/messages").map(({ body }) => wire.parse(body));

/** Runs with these host settings, and returns the first request, without its messages. */
async function sent(hostSettings: NonNullable<LoopRequest["hostSettings"]>, model = "sonnet") {
  const context = await startScript([{ say: "Done" }]);
  const { result } = await loop(context.runtime, { model, hostSettings });
  expect(result.stopReason).toBe("natural");
  return bodiesOf(context)[0];
}

describe("a subagent", () => {
  const agents = { helper: { description: "Helps.", prompt: "You help.", tools: ["look", "Read"] } };
  const delegate = (to: string, prompt = "the subtask") => ({
    call: "Agent",
    with: { description: "d", prompt, subagent_type: to },
  });
  const others = { when: { user: "subtask" } };

  test("has only the tools that it names, and each of its calls passes the rules and is logged", async () => {
    const context = await startScriptTurns([
      {
        ...others,
        steps: [
          { call: "look" },
          { call: "Read", with: { file_path: "/etc/hostname" } },
          { call: "Bash", with: { command: "true" } },
          { call: "Agent", with: { description: "d", prompt: "deeper", subagent_type: "helper" } },
          { say: "found" },
        ],
      },
      { steps: [delegate("helper"), { say: "Done" }] },
    ]);
    const judged: PolicyCall[] = [];
    const policy = {
      id: "test",
      evaluate(call: PolicyCall) {
        judged.push(call);
        return call.tool === "Read"
          ? { decision: "deny" as const, rule: "test", reason: "No reading." }
          : { decision: "allow" as const, rule: "test" };
      },
    };
    const builtins = ["Agent", "Read", "Bash"];
    const { events, result } = await loop(context.runtime, { builtins, policy, hostSettings: { agents } });
    expect(result).toMatchObject({ stopReason: "natural", text: "Done", steps: 2 });
    const requests = sentRequests(context.rehearsal.requests);
    expect(requests[1]?.system).toContain("You help.");
    expect(requests[1]?.tools.map(({ name }) => name).sort()).toEqual(["Read", "look"]);
    expect(judged.map(({ tool }) => tool)).toEqual(["Agent", "look", "Read"]);
    const ended = events.filter(({ type }) => type === "tool.finished" || type === "tool.denied");
    expect(ended).toMatchObject([
      { type: "tool.finished", ok: true, output: "seen" },
      { type: "tool.denied", output: expect.stringContaining("No reading.") },
      { type: "tool.denied" },
      { type: "tool.denied" },
      { type: "tool.finished", ok: true, output: expect.stringContaining("found") },
    ]);
  });

  test("reads a file if the rules allow it, and the call ends when the file was read", async () => {
    const context = await startScriptTurns([
      { ...others, steps: [{ call: "Read", with: { file_path: "/etc/hostname" } }, { say: "found" }] },
      { steps: [delegate("helper"), { say: "Done" }] },
    ]);
    const { events } = await loop(context.runtime, { builtins: ["Agent", "Read"], hostSettings: { agents } });
    expect(events.filter(({ type }) => type === "tool.finished")).toMatchObject([{ ok: true }, { ok: true }]);
    expect(events.find(({ type }) => type === "model.input")).toMatchObject({
      hostAdds: expect.arrayContaining([expect.stringContaining("subagent")]),
    });
  });

  test.each([
    [
      "an agent of the host's own",
      delegate("general-purpose").with,
      'There is no agent "general-purpose" in this run.',
    ],
    ["a copy of itself with all of its tools", delegate("fork").with, 'There is no agent "fork" in this run.'],
    ["no agent", { description: "d", prompt: "the subtask" }, 'There is no agent "" in this run.'],
    ["another model", { ...delegate("helper").with, model: "opus" }, "Leave model out"],
    ["another place to run", { ...delegate("helper").with, isolation: "worktree" }, "Leave isolation out"],
  ])("must be one of the defined agents: a call for %s is refused", async (_what, input, reply) => {
    const context = await startScriptTurns([
      { ...others, steps: [{ say: "ran" }] },
      { steps: [{ call: "Agent", with: input }, { say: "Done" }] },
    ]);
    const { events } = await loop(context.runtime, { builtins: ["Agent"], hostSettings: { agents } });
    const requests = sentRequests(context.rehearsal.requests);
    expect(requests).toHaveLength(2);
    expect(events.filter(({ type }) => type === "tool.denied")).toMatchObject([
      { output: expect.stringContaining(reply) },
    ]);
  });

  test("is unavailable unless Agent is opened, and Agent needs a defined agent", async () => {
    const context = await startScript([{ say: "Done" }]);
    await loop(context.runtime, { hostSettings: { agents } });
    expect(sentRequests(context.rehearsal.requests)[0]?.tools.map(({ name }) => name)).toEqual(["look"]);
    const { result } = await loop(context.runtime, { builtins: ["Agent"] });
    expect(result.error).toMatchObject({ code: "config", message: expect.stringContaining("hostSettings.agents") });
  });
});

test.each(["low", "high"])("effort %s reaches the model", async (effort) => {
  expect(await sent({ effort })).toMatchObject({ output_config: { effort } });
});

test("a thinking budget reaches a model that supports it, and false switches thinking off", async () => {
  const model = "claude-haiku-4-5";
  expect(await sent({ thinking: { budgetTokens: 2000 } }, model)).toMatchObject({
    thinking: { type: "enabled", budget_tokens: 2000 },
  });
  expect(await sent({ thinking: false }, "claude-sonnet-4-6")).toMatchObject({ thinking: { type: "disabled" } });
  expect(await sent({ thinking: { budgetTokens: 2000 } }, "sonnet")).toMatchObject({ thinking: { type: "adaptive" } });
});

test("the fallback model answers if the first is overloaded, and the result names it", async () => {
  const context = await startScript([{ status: 529, times: 3 }, { say: "Done" }]);
  const { result } = await loop(context.runtime, { hostSettings: { fallbackModel: "haiku" } });
  expect(result).toMatchObject({ stopReason: "natural", text: "Done", model: expect.stringContaining("haiku") });
  expect(bodiesOf(context).map(({ model }) => /sonnet|haiku/.exec(model)?.[0])).toEqual(
    expect.arrayContaining(["sonnet", "haiku"]),
  );
});

test("the host works in the working directory, and tools still get the project folder", async () => {
  const context = await startScript([{ call: "Bash", with: { command: "pwd > here.txt" } }, { say: "Done" }]);
  const workingDirectory = join(context.home.project, "inner");
  await mkdir(workingDirectory);
  const { result } = await loop(context.runtime, { builtins: ["Bash"], hostSettings: { workingDirectory } });
  expect(result).toMatchObject({ stopReason: "natural", toolFailures: 0 });
  expect(await readFile(join(workingDirectory, "here.txt"), "utf8")).toBe(`${workingDirectory}\n`);
});

describe("setting sources", () => {
  /** Creates a layer of each kind with its own words, and a hook that writes a file. */
  async function withLayers(steps: Parameters<typeof startScript>[0] = [{ say: "Done" }], more: object = {}) {
    const context = await startScript(steps);
    const { project, configDir } = context.home;
    await mkdir(join(project, ".claude"));
    const ran = (layer: string) => join(project, `${layer}-hook-ran`);
    const settings = (layer: string) =>
      JSON.stringify({
        hooks: { UserPromptSubmit: [{ hooks: [{ type: "command", command: `touch ${ran(layer)}` }] }] },
        permissions: { allow: ["Bash"] },
        ...more,
      });
    await writeFile(join(configDir, "settings.json"), settings("user"));
    await writeFile(join(project, ".claude/settings.json"), settings("project"));
    await writeFile(join(project, ".claude/settings.local.json"), settings("local"));
    await writeFile(join(configDir, "CLAUDE.md"), "the user's words");
    await writeFile(join(project, "CLAUDE.md"), "the project's words");
    await writeFile(join(project, "CLAUDE.local.md"), "the local words");
    const didRun = (layer: string) =>
      readFile(ran(layer)).then(
        () => true,
        () => false,
      );
    return { context, didRun };
  }

  const layers = ["user", "project", "local"] as const;

  test.each([[[]], [["project"]], [["user"]], [["local"]], [[...layers]]])(
    "%j sends and runs only the opened sources, and the event log lists them",
    async (settingSources) => {
      const { context, didRun } = await withLayers();
      const { events, result } = await loop(context.runtime, { hostSettings: { settingSources } });
      expect(result.stopReason).toBe("natural");
      const [request] = modelRequests(context.rehearsal.requests);
      const told = JSON.stringify(request && [linesOf(request), request.system]);
      const words = { user: "the user's words", project: "the project's words", local: "the local words" };
      const opened = settingSources as string[];
      expect(layers.filter((layer) => told.includes(words[layer]))).toEqual(
        layers.filter((layer) => opened.includes(layer)),
      );
      expect(await Promise.all(layers.map(didRun))).toEqual(layers.map((layer) => opened.includes(layer)));
      const input = events.find(({ type }) => type === "model.input");
      const sources = input?.type === "model.input" ? input.implicitSources : [];
      const inForce = sources.filter(({ inForce, kind }) => inForce && kind !== "auth").map(({ path }) => path);
      const { project, configDir } = context.home;
      const files = {
        user: [join(configDir, "CLAUDE.md"), join(configDir, "settings.json")],
        project: [join(project, "CLAUDE.md"), join(project, ".claude/settings.json")],
        local: [join(project, "CLAUDE.local.md"), join(project, ".claude/settings.local.json")],
      };
      expect(inForce.toSorted()).toEqual(
        layers.flatMap((each) => (opened.includes(each) ? files[each] : [])).toSorted(),
      );
    },
  );

  test("do not open a tool with their permissions, and an opened tool still passes our rules", async () => {
    const steps = [{ call: "Bash", with: { command: "touch ran-bash" } }, { say: "Done" }];
    const { context } = await withLayers(steps);
    const closed = await loop(context.runtime, { hostSettings: { settingSources: ["project"] } });
    expect(closed.result.toolFailures).toBe(1);
    const policy = { id: "none", evaluate: () => ({ decision: "deny" as const, rule: "none" }) };
    const again = await withLayers(steps);
    const denied = await loop(again.context.runtime, {
      policy,
      builtins: ["Bash"],
      hostSettings: { settingSources: ["project"] },
    });
    expect(denied.events.filter(({ type }) => type === "tool.denied")).toMatchObject([
      { output: expect.stringContaining("not allowed (none)") },
    ]);
    for (const { context } of [again]) {
      await expect(readFile(join(context.home.project, "ran-bash"))).rejects.toThrow("ENOENT");
    }
  });

  test.each([
    [
      "env",
      { env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:9" } },
      "passes variables to the host that are not on its allow-list",
    ],
    ["apiKeyHelper", { apiKeyHelper: "echo key" }, "decides who pays"],
    ["disableAllHooks", { disableAllHooks: true }, "switches off the hook"],
    ["enabledPlugins", { enabledPlugins: { "a@b": true } }, "loads plugins"],
  ])("are refused before anything is sent if a file sets %s", async (_key, more, reason) => {
    const { context } = await withLayers(undefined, more);
    const { result } = await loop(context.runtime, { hostSettings: { settingSources: ["project"] } });
    expect(result.error).toMatchObject({ code: "config", message: expect.stringContaining(reason) });
    expect(modelRequests(context.rehearsal.requests)).toHaveLength(0);
  });
});

test("an unknown or invalid setting is refused with its name", async () => {
  const { runtime } = await startScript([{ say: "Done" }]);
  await expect(loop(runtime, { hostSettings: { efort: "low" } })).rejects.toMatchObject({
    code: "unsupported_feature",
    message: expect.stringMatching(/"efort".*Did you mean "effort"\?/),
  });
  const { result } = await loop(runtime, { hostSettings: { effort: "huge" } });
  expect(result.error).toMatchObject({
    code: "config",
    message: expect.stringMatching(/^The setting effort is invalid/),
  });
});
