import { expect, test, vi } from "vitest";
import { openThread } from "../support/ag-ui-thread.ts";

test("an AG-UI client gets text, reasoning and calls, and sends a second message on the same thread", async () => {
  const { agent, say, events, workspace } = await openThread();
  await say("What time is it?");
  expect(agent.messages.map(({ role }) => role)).toEqual(["user", "reasoning", "assistant", "tool", "assistant"]);
  expect(agent.messages.slice(1)).toMatchObject([
    { content: "Which clock?" },
    { content: "One moment.", toolCalls: [{ function: { name: "clock", arguments: "{}" } }] },
    { content: "noon" },
    { content: "It is noon." },
  ]);
  expect(events[0]).toMatchObject({ type: "RUN_STARTED", threadId: "thread-1", protocolVersion: "1.0" });
  expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } });
  await say("And the second?");
  expect(agent.messages.at(-1)).toMatchObject({ content: "This is the second answer." });
  expect(await workspace.eventLog.runs({ sessionId: "thread-1" })).toHaveLength(2);
});

test.each(["rehearsal", "login"] as const)(
  "a question ends the AG-UI run, and the next one continues with an edited input (%s)",
  async (model) => {
    const { agent, say, answer, events } = await openThread(model);
    await say("Where is my order?");
    const [question] = agent.pendingInterrupts;
    expect(question).toMatchObject({
      reason: "tool_call",
      metadata: { bridle: { tool: "lookup", input: { id: "7" } } },
    });
    const call = agent.messages.flatMap((message) => ("toolCalls" in message ? (message.toolCalls ?? []) : []))[0];
    expect(question?.toolCallId).toBe(call?.id);
    await answer({ approved: true, editedArgs: { id: "9" } });
    expect(agent.pendingInterrupts).toEqual([]);
    const found = expect.stringContaining("Order 9 is on its way.");
    expect(agent.messages.slice(-2)).toMatchObject([
      { role: "tool", toolCallId: call?.id, content: found },
      { role: "assistant", content: found },
    ]);
    expect(events.filter(({ type }) => type === "TOOL_CALL_START")).toHaveLength(1);
    expect(events.filter(({ type }) => type === "RUN_FINISHED")).toMatchObject([
      { outcome: { type: "interrupt" } },
      { outcome: { type: "success" }, usage: [{ inputTokens: expect.any(Number) }] },
    ]);
  },
);

test("a denial reaches the model with its message, and the same answer can be sent again", async () => {
  const { agent, say, events, server, authorization } = await openThread();
  await say("Where is my order?");
  const resume = [
    {
      interruptId: agent.pendingInterrupts[0]?.id ?? "",
      status: "resolved",
      payload: { approved: false, message: "Not today." },
    },
  ] as const;
  const before = structuredClone(agent.messages);
  await agent.runAgent({ resume: [...resume] });
  expect(agent.messages.find(({ role }) => role === "tool")?.content).toContain("Not today.");
  const told = events.slice(events.findLastIndex(({ type }) => type === "RUN_STARTED") + 1);
  const again = await fetch(agent.url, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ threadId: "thread-1", runId: "again", messages: before, resume }),
  });
  const lines = (await again.text()).split("\n\n").filter((line) => line.startsWith("data: "));
  const repeated = lines.map((line) => JSON.parse(line.slice("data: ".length)));
  expect(repeated.slice(1, -1)).toEqual(told.slice(0, -1));
  expect(server.url).toContain("127.0.0.1");
});

test("a new message while a question is open, and a partial answer, are refused before anything happens", async () => {
  const { agent, say, authorization, workspace } = await openThread();
  await say("Where is my order?");
  const send = (body: object) =>
    fetch(agent.url, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({ threadId: "thread-1", runId: "r", messages: agent.messages, ...body }),
    });
  const id = agent.pendingInterrupts[0]?.id;
  for (const [body, status, code] of [
    [{}, 409, "approval-open"],
    [{ resume: [{ interruptId: "forged", status: "resolved", payload: { approved: true } }] }, 409, "unknown-approval"],
    [{ resume: [{ interruptId: id, status: "resolved", payload: { approve: true } }] }, 422, "invalid-answer"],
    [{ tools: [{ name: "t", description: "" }] }, 422, "client-tools"],
    [{ threadId: "a/b" }, 422, "no-id"],
  ] as const) {
    const response = await send(body);
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([status, code]);
  }
  expect(await workspace.eventLog.approvals.open()).toHaveLength(1);
});

test("a stopped run is cancelled, and a failed one is an error with its code", async () => {
  const { agent, say, events, server, desk } = await openThread();
  const running = say("Tell me a story.");
  await vi.waitFor(() => expect(events.some(({ type }) => type === "TEXT_MESSAGE_CONTENT")).toBe(true), 30_000);
  const stopped = await server.fetch("/ag-ui/agents/agent/threads/thread-1/stop", { method: "POST" });
  expect(await stopped.json()).toEqual({ stopped: true });
  await running;
  expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "cancelled" } });
  expect(agent.messages.at(-1)).toMatchObject({ role: "assistant", content: expect.stringContaining("Once") });
  const other = await openThread("rehearsal", desk);
  await other.say("Please fail.");
  expect(other.events.at(-1)).toMatchObject({ type: "RUN_ERROR", code: "invalid_request" });
});

test("a response that is requested again leaves nothing of the first one in the client's messages", async () => {
  const { agent, say, events } = await openThread();
  await say("Please break.");
  expect(events.map(({ type }) => type)).toContain("MESSAGES_SNAPSHOT");
  expect(agent.messages).toMatchObject([
    { role: "user", content: "Please break." },
    { role: "assistant", content: "It was a bright day." },
  ]);
});

test("the capabilities of an agent say what it does with a question and with a client's tools", async () => {
  const { server } = await openThread();
  const response = await server.fetch("/ag-ui/agents/agent/capabilities");
  expect(await response.json()).toMatchObject({
    humanInTheLoop: { approveWithEdits: true },
    tools: { clientProvided: false },
  });
});
