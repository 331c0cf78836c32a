import type { ContentBlock } from "@agentclientprotocol/sdk";
import type { EventDraft, RunEvent } from "@bridle/protocol";
import { expect, test } from "vitest";
import { describeModes, parseMode } from "./modes.ts";
import { permissionOptions, questionContent, toApprovalAnswer } from "./permission.ts";
import { toMessage } from "./prompt-blocks.ts";
import { ToolUpdates } from "./tool-updates.ts";
import { transcriptUpdates } from "./transcript-updates.ts";

const png = "iVBORw0KGgo=";

test.each<[string, ContentBlock, object]>([
  ["text", { type: "text", text: "Hi" }, { type: "text", text: "Hi" }],
  [
    "an image",
    { type: "image", data: png, mimeType: "image/png" },
    { type: "image", mediaType: "image/png", data: png },
  ],
  [
    "a link",
    { type: "resource_link", name: "a.ts", uri: "file:///a.ts" },
    { type: "text", text: "[a.ts](file:///a.ts)" },
  ],
  [
    "a file",
    { type: "resource", resource: { uri: "file:///a.ts", text: "let a;" } },
    { type: "text", text: '<file uri="file:///a.ts">\nlet a;\n</file>' },
  ],
  [
    "a PDF",
    { type: "resource", resource: { uri: "file:///a.pdf", blob: png, mimeType: "application/pdf" } },
    { type: "file", mediaType: "application/pdf", data: png, name: "file:///a.pdf" },
  ],
])("a prompt with %s reaches the model", (_what, block, part) => {
  expect(toMessage([block])).toEqual({ role: "user", content: [part] });
});

test.each<[string, ContentBlock[], string]>([
  ["nothing", [], "The prompt is empty"],
  ["blanks", [{ type: "text", text: " \n" }], "The prompt is empty"],
  ["sound", [{ type: "audio", data: png, mimeType: "audio/wav" }], "sound"],
  ["another kind of image", [{ type: "image", data: png, mimeType: "image/tiff" }], "image/tiff"],
  ["a program", [{ type: "resource", resource: { uri: "file:///a.exe", blob: png } }], "file:///a.exe"],
])("a prompt with %s is refused with the reason", (_what, blocks, reason) => {
  expect(() => toMessage(blocks)).toThrow(reason);
});

test("a question offers to allow and to deny, and to remember both", () => {
  expect(permissionOptions({ everyTime: false }).map(({ optionId, kind }) => [optionId, kind])).toEqual([
    ["allow", "allow_once"],
    ["allow-session", "allow_always"],
    ["allow-project", "allow_always"],
    ["deny", "reject_once"],
    ["deny-project", "reject_always"],
  ]);
});

test("a rule that asks each time lets nobody remember that a call is allowed", () => {
  const ids = permissionOptions({ everyTime: true }).map(({ optionId }) => optionId);
  expect(ids).toEqual(["allow", "deny", "deny-project"]);
});

test.each([
  ["allow", { decision: "allow" }],
  ["allow-session", { decision: "allow", scope: "session" }],
  ["allow-project", { decision: "allow", scope: "project" }],
  ["deny", { decision: "deny" }],
  ["deny-project", { decision: "deny", scope: "project" }],
  ["an option that was not offered", { decision: "deny" }],
  ["toString", { decision: "deny" }],
])("the outcome %s is an answer", (optionId, answer) => {
  expect(toApprovalAnswer({ outcome: "selected", optionId })).toEqual(answer);
});

test("a question that is cancelled ends the run", () => {
  expect(toApprovalAnswer({ outcome: "cancelled" })).toEqual({ decision: "deny-and-stop" });
});

test("a question shows why it is asked and what the call would do", () => {
  const content = questionContent({ everyTime: false, reason: "It sends mail.", preview: "To: a@b.c" });
  expect(content.map((each) => each.type === "content" && each.content)).toEqual([
    { type: "text", text: "It sends mail." },
    { type: "text", text: "To: a@b.c" },
  ]);
});

test("the mode yolo is offered only if the user has started with it", () => {
  const offered = (first: "normal" | "yolo") => describeModes(first, first).availableModes.map(({ id }) => id);
  expect(offered("normal")).toEqual(["as-configured", "read-only", "ask", "normal", "auto"]);
  expect(offered("yolo")).toContain("yolo");
  expect(() => parseMode("yolo", "normal")).toThrow('There is no mode "yolo".');
  expect(() => parseMode("norml", "normal")).toThrow('Did you mean "normal"?');
});

const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const recorded: readonly EventDraft[] = [
  { type: "step.started", index: 1 },
  { type: "text.completed", text: "Void." },
  { type: "retry.scheduled", attempt: 1, maxAttempts: 3, delayMs: 0, reason: "overloaded" },
  { type: "reasoning.completed", text: "Hm." },
  { type: "text.completed", text: "Good." },
  { type: "step.finished", index: 1, budget: 20, usage },
  { type: "tool.requested", callId: "call_1", tool: "lookup", input: { id: "A" }, inputHash: "h" },
  { type: "tool.finished", callId: "call_1", ok: false, durationMs: 1, output: "Lost." },
];

test("a session on record is shown with its prompts and outcomes, without text that was taken back", () => {
  const input: EventDraft = {
    type: "model.input",
    turn: 1,
    sha256: "",
    artifact: "",
    implicitSources: [],
    hostAdds: [],
    messages: [{ role: "user", content: "Where is it?" }],
  };
  const events = [input, ...recorded].map(
    (draft, at): RunEvent => ({ ...draft, seq: at + 1, time: 1, runId: "run_1" }),
  );
  const calls = new ToolUpdates();
  expect(transcriptUpdates(events, calls)).toMatchObject([
    { sessionUpdate: "user_message_chunk", content: { type: "text", text: "Where is it?" } },
    { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "Hm." } },
    { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Good." } },
    {
      sessionUpdate: "tool_call",
      toolCallId: "call_1",
      status: "failed",
      rawInput: { id: "A" },
      content: [{ content: { type: "text", text: "Lost." } }],
    },
  ]);
  expect(calls.findAsked({ id: "approval_1", callId: "call_1" })?.id).toBe("call_1");
});

test("a fork shows the conversation that it continues from", () => {
  const draft: EventDraft = {
    type: "history.replaced",
    reason: "forked",
    from: "s",
    messages: [
      { role: "user", content: [{ type: "text", text: "Hi" }] },
      { role: "assistant", content: [{ type: "text", text: "Hello." }] },
    ],
  };
  const updates = transcriptUpdates([{ ...draft, seq: 1, time: 1, runId: "run_1" }], new ToolUpdates());
  expect(updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual(["user_message_chunk", "agent_message_chunk"]);
});
