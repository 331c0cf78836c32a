import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildTranscript, type Policy } from "@bridle/protocol";
import { expect, test } from "vitest";
import { loop, type Steps, startScript } from "./support/runs.ts";
import { modelRequests } from "./support/wire.ts";

test("only the host retries an overloaded service, and the retry is reported", async () => {
  const { runtime, rehearsal } = await startScript([{ status: 529, times: 2 }, { say: "Done" }]);
  const { events, result } = await loop(runtime);
  expect(result).toMatchObject({ stopReason: "natural", text: "Done", steps: 1 });
  expect(modelRequests(rehearsal.requests)).toHaveLength(3);
  expect(events.filter(({ type }) => type === "retry.scheduled")).toMatchObject([
    { attempt: 1, maxAttempts: 10, status: 529, reason: "overloaded" },
    { attempt: 2, maxAttempts: 10, status: 529 },
  ]);
});

test.each<[string, Steps[number]]>([
  ["an error of the service", { status: 500 }],
  ["a connection that breaks before the answer", { reset: true }],
  ["an answer that breaks off", { say: "Half an", cut: true }],
])("%s makes the host retry once, and Bridle not at all", async (_, fault) => {
  const { runtime, rehearsal } = await startScript([fault, { say: "Done" }]);
  const { events, result } = await loop(runtime);
  expect(result).toMatchObject({ stopReason: "natural", text: "Done" });
  expect(modelRequests(rehearsal.requests)).toHaveLength(2);
  expect(events.filter(({ type }) => type === "retry.scheduled")).toHaveLength(1);
});

test.each([
  ["text", { think: "Let me think.", say: "Half of an", cut: true, chunk_ms: 400 }, { text: "The answer is 42." }],
  [
    "call",
    { say: "I look.", call: "look", cut: true, chunk_ms: 400 },
    { text: "I look.\n\nI look.\n\nThe answer is 42.", toolCalls: 0 },
  ],
])(
  "an answer that breaks off in a %s continues after its complete blocks, in the same step",
  async (_, cut, wanted) => {
    const { runtime, rehearsal } = await startScript([{ ...cut, times: 2 }, { say: "The answer is 42." }]);
    const { events, result } = await loop(runtime, { stepBudget: 1 });
    expect(result).toMatchObject({ stopReason: "natural", steps: 1, ...wanted });
    expect(modelRequests(rehearsal.requests)).toHaveLength(3);
    expect(events.filter(({ type }) => type === "retry.scheduled")).toMatchObject([
      { attempt: 1, maxAttempts: 3, delayMs: 0 },
      { attempt: 2, maxAttempts: 3 },
    ]);
    const texts = buildTranscript(events).entries.flatMap((entry) => (entry.kind === "text" ? [entry.text] : []));
    expect(texts.at(-1)).toBe("The answer is 42.");
  },
);

test("a key that the service refuses is tried three times, not for minutes", async () => {
  const environment = { ANTHROPIC_API_KEY: "sk-ant-wrong" };
  const { runtime, rehearsal } = await startScript([{ status: 401, forever: true }], { auth: "api_key", environment });
  await expect(runtime.generateText({ prompt: "Go" })).rejects.toThrow("Check the key in ANTHROPIC_API_KEY");
  expect(modelRequests(rehearsal.requests)).toHaveLength(3);
});

test("a budget of two steps is two responses, however many calls each makes", async () => {
  const calls = ["a", "b", "c"].map((at) => ({ call: "look", with: { at } }));
  const { runtime, rehearsal } = await startScript([{ calls, forever: true }]);
  const { events, result } = await loop(runtime, { stepBudget: 2 });
  expect(result).toMatchObject({ stopReason: "budget", steps: 2 });
  expect(events.filter(({ type }) => type === "step.finished")).toHaveLength(2);
  expect(modelRequests(rehearsal.requests)).toHaveLength(2);
});

test("an answer that is cut at maxOutputTokens is a BudgetExceededError, not half an answer", async () => {
  const { runtime } = await startScript([
    { say: "Half an", stop_reason: "max_tokens" },
    { say: "answer", forever: true },
  ]);
  const asked = runtime.generateText({ prompt: "Go", maxOutputTokens: 500 });
  await expect(asked).rejects.toMatchObject({
    code: "budget_exceeded",
    message: expect.stringContaining("500 tokens"),
  });
  const { result } = await loop(runtime, { maxOutputTokens: 500 });
  expect(result).toMatchObject({ stopReason: "error", text: "Half an", error: { code: "budget_exceeded" } });
});

test("an unknown stop reason is an error that names it", async () => {
  const { runtime } = await startScript([{ say: "Half an", stop_reason: "pause_turn" }]);
  await expect(runtime.generateText({ prompt: "Go" })).rejects.toMatchObject({
    code: "backend_crash",
    message: expect.stringContaining("pause_turn"),
  });
});

test("arguments that are not JSON get a reply, and the run continues", async () => {
  const { runtime, rehearsal } = await startScript([
    { call: "look", with_text: '{"at": "x' },
    { call: "look" },
    { say: "Done" },
  ]);
  const { events, result } = await loop(runtime);
  expect(result).toMatchObject({ stopReason: "natural", text: "Done", steps: 3, toolCalls: 2, toolFailures: 1 });
  expect(JSON.stringify(modelRequests(rehearsal.requests)[1])).toContain("could not be parsed as JSON");
  const order = events.map(({ type }) => type).filter((type) => /^(step\.finished|tool\.)/.test(type));
  expect(order.slice(0, 4)).toEqual(["step.finished", "tool.requested", "tool.evaluated", "tool.denied"]);
});

/** Returns a policy that denies every call, and adds the call to `asked`. */
function denying(asked: unknown[]): Policy {
  return {
    id: "deny-all",
    evaluate(call) {
      asked.push(call);
      return { decision: "deny", rule: "no-files", reason: "Files are private." };
    },
  };
}

test("opening Read lets the model read a file through the hook, and opens no other tool", async () => {
  const path = (folder: string) => join(folder, "note.txt");
  const { runtime, rehearsal, home } = await startScript([
    { call: "Read", with: { file_path: "note.txt" } },
    {
      calls: [
        { call: "Bash", with: { command: "id" } },
        { call: "Write", with: { file_path: "x", content: "x" } },
      ],
    },
    { say: "Done" },
  ]);
  await writeFile(path(home.project), "The word is heron.");
  const { events, result } = await loop(runtime, { builtins: ["Read"] });
  expect(result).toMatchObject({ stopReason: "natural", toolCalls: 3, toolFailures: 2 });
  const requests = modelRequests(rehearsal.requests).map((request) => JSON.stringify(request));
  expect(requests[1]).toContain("The word is heron.");
  expect(requests[2]).not.toContain("uid=");
  const told = events.filter(({ type }) => type.startsWith("tool."));
  expect(told.map(({ type }) => type)).toEqual([
    "tool.requested",
    "tool.evaluated",
    "tool.started",
    "tool.finished",
    "tool.requested",
    "tool.evaluated",
    "tool.denied",
    "tool.requested",
    "tool.evaluated",
    "tool.denied",
  ]);
  expect(told[0]).toMatchObject({ tool: "Read", input: { file_path: path(home.project) } });
  expect(told[3]).toMatchObject({ ok: true, output: expect.stringContaining("heron") });
});

test("a policy that denies an opened tool stops it", async () => {
  const asked: unknown[] = [];
  const { runtime, rehearsal, home } = await startScript(
    [{ call: "Read", with: { file_path: "note.txt" } }, { say: "Done" }],
    {},
    { policy: denying(asked) },
  );
  await writeFile(join(home.project, "note.txt"), "The word is heron.");
  const { events, result } = await loop(runtime, { builtins: ["Read"] });
  expect(result).toMatchObject({ stopReason: "natural", toolCalls: 1, toolFailures: 1 });
  expect(asked).toMatchObject([{ tool: "Read", builtin: true }]);
  const request = JSON.stringify(modelRequests(rehearsal.requests)[1]);
  expect(request).toContain("Files are private.");
  expect(request).not.toContain("heron");
  expect(events.filter(({ type }) => type.startsWith("tool.")).map(({ type }) => type)).toEqual([
    "tool.requested",
    "tool.evaluated",
    "tool.denied",
  ]);
});
