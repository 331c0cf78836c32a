import { lastAssistantMessageIsCompleteWithApprovalResponses } from "ai";
import { expect, test, vi } from "vitest";
import { openChat, partsOf } from "../support/ai-sdk-chat.ts";

test("useChat's transport gets text, reasoning and calls, and sends a second message in the same chat", async () => {
  const { say, chunks, workspace, server } = await openChat();
  const message = await say("What time is it?");
  expect(partsOf(message)).toMatchObject([
    { type: "reasoning", text: "Which clock?" },
    { type: "text", text: "One moment.", state: "done" },
    { type: "dynamic-tool", toolName: "clock", state: "output-available", output: "noon" },
    { type: "text", text: "It is noon." },
  ]);
  expect(chunks.map(({ type }) => type)).toMatchObject({ 0: "start", 1: "start-step" });
  expect(chunks.at(-1)).toMatchObject({ type: "finish", finishReason: "stop" });
  expect(partsOf(await say("And the second?"))).toMatchObject([{ text: "This is the second answer." }]);
  expect(await workspace.eventLog.runs({ sessionId: "chat-1" })).toHaveLength(2);
  expect((await server.fetch("/ai-sdk/agents/agent/chat/chat-1/stream")).status).toBe(204);
});

test.each(["rehearsal", "login"] as const)(
  "an approval with an edited input continues the same UI message (%s)",
  async (model) => {
    const { say, send, answer, messages } = await openChat(model);
    const asked = await say("Where is my order?");
    expect(partsOf(asked).at(-1)).toMatchObject({
      state: "approval-requested",
      input: { id: "7" },
      approval: { descriptor: { tool: "lookup", inputHash: expect.any(String) } },
    });
    const id = answer(true);
    expect(lastAssistantMessageIsCompleteWithApprovalResponses({ messages })).toBe(true);
    const answered = await send({ edits: { [id]: { id: "9" } } });
    expect(answered.id).toBe(asked.id);
    const found = expect.stringContaining("Order 9 is on its way.");
    expect(partsOf(answered)).toMatchObject([
      { type: "text", text: "I will look." },
      { state: "output-available", input: { id: "9" }, output: found },
      { type: "text", text: found },
    ]);
  },
);

test("a denial is shown as denied, and a forged id answers nothing", async () => {
  const { say, send, answer, messages, workspace } = await openChat();
  await say("Where is my order?");
  const id = answer(false, "Not today.");
  const forged = structuredClone(messages);
  for (const part of messages.at(-1)?.parts ?? []) if ("approval" in part && part.approval) part.approval.id = "forged";
  await expect(send()).rejects.toThrow("unknown-approval");
  expect((await workspace.eventLog.approvals.open()).map((each) => each.id)).toEqual([id]);
  messages.splice(0, messages.length, ...forged);
  expect(partsOf(await send())[1]).toMatchObject({ state: "output-denied", approval: { approved: false } });
});

test("two calls of one response are asked about one after the other, and both get their answers", async () => {
  const { say, send, answer } = await openChat();
  let message = await say("Where are both orders?");
  while (message.parts.some((part) => "state" in part && part.state === "approval-requested")) {
    answer(true);
    message = await send();
  }
  const outputs = partsOf(message).flatMap((part) => ("output" in part ? [part.output] : []));
  expect(outputs.toSorted()).toEqual(["Order 7 is on its way.", "Order 8 is on its way."]);
  expect(partsOf(message).at(-1)).toMatchObject({ text: "Both are on their way." });
});

test("a client that left resumes the message from its beginning, and only the stop ends the run", async () => {
  const { say, resume, read, messages, chunks, server } = await openChat();
  const leaving = say("Tell me a story.");
  await vi.waitFor(() => expect(chunks.some(({ type }) => type === "text-delta")).toBe(true), 30_000);
  const stream = await resume();
  if (stream === null) throw new Error("There is no stream.");
  messages.splice(1);
  let isStopped = false;
  const again = await read(stream, () => {
    if (isStopped) return;
    isStopped = true;
    void server.fetch("/ai-sdk/agents/agent/chat/chat-1/stop", { method: "POST" });
  });
  expect(partsOf(again)[0]).toMatchObject({ text: expect.stringMatching(/^Once/) });
  expect(await leaving).toEqual(again);
  expect(chunks.at(-1)).toMatchObject({ type: "finish", finishReason: "other" });
  expect(chunks.at(-2)).toMatchObject({ type: "abort" });
});

test("a response that is requested again resets its step, and a failure is an error", async () => {
  const { say, chunks } = await openChat();
  expect(partsOf(await say("Please break."))).toMatchObject([{ text: "It was a bright day." }]);
  expect(chunks.map(({ type }) => type)).toContain("reset-step");
  await say("Please fail.");
  expect(chunks.at(-1)).toMatchObject({ type: "finish", finishReason: "error" });
  expect(chunks.some((chunk) => chunk.type === "error" && chunk.errorText.includes("No such thing"))).toBe(true);
});
