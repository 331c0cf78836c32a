/** Tests the `claude` block of an agent file on the real Claude Code, with a scripted model. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Approver } from "@bridle/protocol";
import { expect, test } from "vitest";
import { agentFolder, playAgent } from "../play-agent.ts";

const script = (...steps: object[]) =>
  JSON.stringify({ rehearsal: 1, turns: [{ steps: [...steps, { say: "Done." }] }] });
const agentFile = (claude: object, more: object = {}) =>
  JSON.stringify({
    name: "reviewer",
    model: { provider: "claude-code", name: "sonnet" },
    instructions: { inline: "You review." },
    claude,
    ...more,
  });

async function play(claude: object, steps: object[], more: { policy?: object; approve?: Approver } = {}) {
  const { policy, approve } = more;
  const folder = await agentFolder();
  const files = { "agent.yaml": agentFile(claude, policy && { policy }), "script.yaml": script(...steps) };
  const played = await playAgent({ folder, files, ...(approve && { approve }) });
  const ended = played.events.flatMap((event) =>
    event.type === "tool.finished" || event.type === "tool.denied" ? [event] : [],
  );
  return { ...played, folder, ended, read: (name: string) => readFile(join(folder, name), "utf8") };
}

const bash = { call: "Bash", with: { command: "echo ran > bash.txt" } };

test("a host tool that is not enabled does not run, whatever the model calls", async () => {
  const { ended, read } = await play({ file_system: { read: true } }, [bash]);
  expect(ended).toMatchObject([{ type: "tool.denied" }]);
  await expect(read("bash.txt")).rejects.toThrow("ENOENT");
});

test("a host tool that rules ask about is denied if no one can answer, and runs if a person allows it", async () => {
  const alone = await play({ bash: { enabled: true } }, [bash]);
  expect(alone.ended).toMatchObject([{ type: "tool.denied", output: expect.stringContaining("consent") }]);
  await expect(alone.read("bash.txt")).rejects.toThrow("ENOENT");
  const asked: string[] = [];
  const approve: Approver = async ({ tool }) => {
    asked.push(tool);
    return { decision: "allow" };
  };
  const { ended, read } = await play({ bash: { enabled: true } }, [bash], { approve });
  expect(asked).toEqual(["Bash"]);
  expect(ended).toMatchObject([{ type: "tool.finished", ok: true }]);
  expect(await read("bash.txt")).toBe("ran\n");
});

test("a rule over the input of a host tool applies: the matching command runs, the other does not", async () => {
  const policy = {
    rules: [
      { tool: "Bash", when: { command: "^echo ran" }, then: "allow" },
      { tool: "Bash", then: "deny" },
    ],
  };
  const other = { call: "Bash", with: { command: "echo no > other.txt" } };
  const { ended, read } = await play({ bash: { enabled: true } }, [bash, other], { policy });
  expect(ended).toMatchObject([{ type: "tool.finished" }, { type: "tool.denied" }]);
  expect(await read("bash.txt")).toBe("ran\n");
  await expect(read("other.txt")).rejects.toThrow("ENOENT");
});

test("file_system enables its tools, and acceptEdits allows writing without a question", async () => {
  const folder = await agentFolder();
  const claude = {
    permission_mode: "acceptEdits",
    bash: { enabled: true },
    file_system: { read: true, write: true, edit: true },
  };
  const path = join(folder, "notes.txt");
  const files = {
    "agent.yaml": agentFile(claude),
    "script.yaml": script(
      { call: "Write", with: { file_path: path, content: "one two" } },
      { call: "Edit", with: { file_path: path, old_string: "two", new_string: "three" } },
      { call: "Read", with: { file_path: path } },
      { call: "Glob", with: { pattern: "*.txt" } },
      { call: "Grep", with: { pattern: "three" } },
      bash,
    ),
  };
  const { events } = await playAgent({ folder, files });
  const ended = events.filter(({ type }) => type === "tool.finished" || type === "tool.denied");
  expect(ended.map(({ type }) => type)).toEqual([...Array(5).fill("tool.finished"), "tool.denied"]);
  expect(ended.slice(0, 5)).toMatchObject(Array(5).fill({ ok: true }));
  expect(await readFile(path, "utf8")).toBe("one three");
});

test("max_turns ends a run as an exhausted step budget", async () => {
  const look = { call: "Glob", with: { pattern: "*" } };
  const { result } = await play({ max_turns: 2, file_system: { read: true } }, [look, look, look]);
  expect(result).toMatchObject({ stopReason: "budget", steps: 2 });
});

test("max_budget_usd ends a run that exceeds the cost", async () => {
  const look = { call: "Glob", with: { pattern: "*" }, usage: { input: 100_000, output: 10_000 } };
  const { result } = await play({ max_budget_usd: 0.01, file_system: { read: true } }, [look, look, look]);
  expect(result.stopReason).toBe("budget");
});

test("the warnings of the claude block are warnings of the agent", async () => {
  const { warnings, result } = await play({ extended_thinking: { enabled: true }, setting_sources: ["project"] }, []);
  expect(result.stopReason).toBe("natural");
  expect(warnings).toEqual([
    expect.stringContaining("claude.extended_thinking has no effect"),
    expect.stringContaining("claude.setting_sources opens"),
  ]);
});

test("on another backend the claude block is an error with its position", async () => {
  const folder = await agentFolder();
  const files = { "agent.yaml": agentFile({ web_search: true }), "script.yaml": script() };
  await expect(playAgent({ folder, files, options: { backend: "anthropic" } })).rejects.toMatchObject({
    code: "config",
    message: expect.stringMatching(
      /^agent\.yaml:1:\d+: The block claude is for Claude Code, and this agent runs on anthropic/,
    ),
  });
});
