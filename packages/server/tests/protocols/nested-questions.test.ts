/**
 * Tests that questions of an agent that another agent called reach the client of each protocol, and that the answers reach the
 * agent.
 */
import { setTimeout } from "node:timers/promises";
import type { Message } from "@ag-ui/client";
import { answerApproval, listApprovals } from "@bridle/app/approvals";
import { lastAssistantMessageIsCompleteWithApprovalResponses } from "ai";
import { expect, test } from "vitest";
import { connectOverHttp } from "../../../mcp-server/tests/client-for-tests.ts";
import { dataOf, dataPart, openA2a, stateOf, textOf, textsOf } from "../support/a2a-client.ts";
import { openThread } from "../support/ag-ui-thread.ts";
import { openChat, partsOf } from "../support/ai-sdk-chat.ts";
import { delegatingFiles, readingFiles, startDelegatingDesk } from "../support/delegating-desk.ts";
import { openOpenAi } from "../support/openai-client.ts";
import { startDesk } from "../support/protocol-desk.ts";

/** The expected result, which contains the input that the user edited. */
const found = (id: string) => expect.stringMatching(new RegExp(`Found: .*Order ${id} is on its way\\.`, "s"));

const callsIn = (messages: readonly Message[]) =>
  messages.flatMap((each) => ("toolCalls" in each ? (each.toolCalls ?? []) : []));

test("AG-UI: an interrupt about the nested call is answered with another input, and the caller's call keeps its own", async () => {
  const { agent, say, answer, events } = await openThread("rehearsal", await startDelegatingDesk());
  await say("Where is my order?");
  const [question] = agent.pendingInterrupts;
  expect(question).toMatchObject({
    message: "Run lookup?\n\nAsked by the agent helper.",
    metadata: { bridle: { tool: "lookup", input: { id: "7" }, agent: "helper" } },
  });
  await answer({ approved: true, editedArgs: { id: "9" } });
  const calls = callsIn(agent.messages);
  expect(calls.map(({ function: { name, arguments: input } }) => [name, input])).toEqual([
    ["helper", '{"task":"one"}'],
  ]);
  expect(question?.toolCallId).toBe(calls[0]?.id);
  expect(agent.messages.at(-1)).toMatchObject({ content: found("9") });
  expect(events.filter(({ type }) => type === "TOOL_CALL_RESULT")).toHaveLength(1);
});

test("AG-UI: a message is refused while a nested agent asks, instead of waiting for its run", async () => {
  const { agent, say, answer, authorization } = await openThread("rehearsal", await startDelegatingDesk());
  await say("Where is my order?");
  const response = await fetch(agent.url, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ threadId: "thread-1", runId: "r", messages: agent.messages }),
  });
  expect([response.status, await response.json()]).toMatchObject([409, { code: "approval-open" }]);
  await answer({ approved: false });
  expect(agent.pendingInterrupts).toEqual([]);
});

test.each([
  ["may change something ask one after the other", delegatingFiles, [["first"], ["second"]]],
  ["only read ask at the same time", readingFiles, [["first", "second"]]],
])("AG-UI: two agents that %s, and each gets its own answer", async (_title, files, expected) => {
  const { agent, say, events } = await openThread("rehearsal", await startDesk("rehearsal", files));
  /** Returns the task of the call that a question or a result belongs to. */
  const taskOf = (toolCallId: unknown): string =>
    JSON.parse(callsIn(agent.messages).find(({ id }) => id === toolCallId)?.function.arguments ?? "{}").task;
  const answers: Record<string, object> = {
    first: { approved: true, editedArgs: { id: "9" } },
    second: { approved: false, message: "Not today." },
  };
  await say("Ask two helpers.");
  const pauses: string[][] = [];
  for (; agent.pendingInterrupts.length > 0 && pauses.length < 3; ) {
    const questions = agent.pendingInterrupts.map((each) => ({ ...each, task: taskOf(each.toolCallId) }));
    for (const { metadata } of questions)
      expect(metadata).toMatchObject({ bridle: { tool: "lookup", input: { id: "7" }, agent: "helper" } });
    pauses.push(questions.map(({ task }) => task).sort());
    await agent.runAgent({
      resume: questions
        .map(({ id, task }) => ({ interruptId: id, status: "resolved" as const, payload: answers[task] }))
        .reverse(),
    });
  }
  expect(pauses).toEqual(expected);
  const results = events.filter(({ type }) => type === "TOOL_CALL_RESULT");
  expect(results.map((each) => [taskOf(each.toolCallId), each.content]).sort()).toEqual([
    ["first", found("9")],
    ["second", expect.stringMatching(/^Found: .*Not today\./s)],
  ]);
  expect(agent.messages.at(-1)).toMatchObject({ content: "Both have answered." });
});

test("AI SDK: an approval about the nested call continues the message, and the caller's call keeps its input", async () => {
  const { say, send, answer, messages } = await openChat("rehearsal", await startDelegatingDesk());
  const asked = await say("Where is my order?");
  expect(partsOf(asked).at(-1)).toMatchObject({
    toolName: "lookup",
    state: "approval-requested",
    input: { id: "7" },
    approval: { descriptor: { tool: "lookup", input: { id: "7" }, agent: "helper" } },
  });
  const id = answer(true);
  expect(lastAssistantMessageIsCompleteWithApprovalResponses({ messages })).toBe(true);
  const answered = await send({ edits: { [id]: { id: "9" } } });
  expect(partsOf(answered)).toMatchObject([
    { type: "text", text: "I ask." },
    { toolName: "helper", state: "output-available", input: { task: "one" }, output: { text: found("9") } },
    { toolName: "lookup", state: "output-available", input: { id: "7" }, output: "It was allowed." },
    { type: "text", text: found("9") },
  ]);
  expect(lastAssistantMessageIsCompleteWithApprovalResponses({ messages })).toBe(false);
});

test("AI SDK: two calls of a nested agent are asked about one after the other, and both get their answers", async () => {
  const { say, send, answer } = await openChat("rehearsal", await startDelegatingDesk());
  let message = await say("Where are both?");
  let rounds = 0;
  for (; message.parts.some((part) => "state" in part && part.state === "approval-requested"); rounds += 1) {
    answer(rounds === 0);
    message = await send();
  }
  expect(rounds).toBe(2);
  expect(partsOf(message).slice(1)).toMatchObject([
    { toolName: "helper", state: "output-available", output: { text: "Both are found." } },
    { toolName: "lookup", state: "output-available" },
    { toolName: "lookup", state: "output-denied" },
    { text: "They say: Both are found." },
  ]);
});

test.each([true, false])(
  "Responses: a request about the nested call is answered, and the next response has the caller's call with its result (stream: %s)",
  async (stream) => {
    const { client } = await openOpenAi("rehearsal", await startDelegatingDesk());
    const ask = (body: object) => {
      const request = { model: "agent", ...body };
      return stream ? client.responses.stream(request).finalResponse() : client.responses.create(request);
    };
    const asked = await ask({ input: "Where is my order?" });
    expect(asked).toMatchObject({
      status: "completed",
      output: [
        { type: "message" },
        { type: "mcp_call", name: "helper", arguments: '{"task":"one"}', status: "incomplete" },
        { type: "mcp_approval_request", name: "lookup", arguments: '{"id":"7"}' },
      ],
    });
    const approval = { type: "mcp_approval_response", approval_request_id: asked.output[2]?.id, approve: true };
    const answered = await ask({
      previous_response_id: asked.id,
      input: [{ ...approval, arguments: '{"id":"9"}' }],
    });
    expect(answered.output).toMatchObject([
      { type: "mcp_call", name: "helper", arguments: '{"task":"one"}', status: "completed" },
      { type: "message", content: [{ text: found("9") }] },
    ]);
    expect(answered.output[0]).toMatchObject({ id: asked.output[1]?.id, output: found("9") });
    expect(await client.responses.retrieve(answered.id)).toMatchObject({
      status: "completed",
      output: [{ name: "helper" }, {}],
    });
  },
);

test("Chat Completions: a question of a nested agent is denied, because nobody can be asked there", async () => {
  const { client, workspace } = await openOpenAi("rehearsal", await startDelegatingDesk());
  const messages = [{ role: "user", content: "Where is my order?" } as const];
  const { choices } = await client.chat.completions.create({ model: "agent", messages });
  expect(choices[0]?.message.content).toMatch(/They say: Found: .*Nobody can be asked here\./s);
  expect(await workspace.eventLog.approvals.open()).toEqual([]);
});

test("A2A: a task asks about the nested call, and its answer as data changes the input", async () => {
  const { send } = await openA2a("rehearsal", await startDelegatingDesk());
  const asked = await send("Where is my order?");
  expect(stateOf(asked)).toBe("input_required");
  expect(asked.status?.message?.parts.map(textOf).join("")).toMatch(
    /^May lookup run\?\n\nAsked by the agent helper\.\n/,
  );
  const [data] = dataOf(asked.status?.message?.parts);
  expect(data).toMatchObject({ tool: "lookup", input: { id: "7" }, agent: "helper" });
  const given = { approvalId: data?.approvalId, decision: "allow", input: { id: "9" } };
  const answered = await send([dataPart(given)], { taskId: asked.id, contextId: asked.contextId });
  expect([stateOf(answered), textsOf(answered).at(-1)]).toEqual(["completed", found("9")]);
});

test("MCP: progress names the nested call and how to answer, and the answer of anyone reaches it", async () => {
  const { server, workspace } = await startDelegatingDesk();
  const client = await connectOverHttp(`${server.url}/mcp`, server.token);
  const messages: (string | undefined)[] = [];
  const asked = client.callTool(
    { name: "ask_agent", arguments: { message: "Where is my order?" } },
    { onprogress: ({ message }) => messages.push(message) },
  );
  const { context, eventLog } = workspace;
  let [open] = await listApprovals(eventLog);
  for (; !open?.callers.length; [open] = await listApprovals(eventLog)) await setTimeout(20);
  expect(open).toMatchObject({ agent: "helper", tool: "lookup" });
  await answerApproval(open.id, { decision: "allow", by: "ada" }, eventLog, context.project.permissions());
  expect(await asked).toMatchObject({ content: [{ text: found("7") }] });
  expect(messages).toContainEqual(expect.stringMatching(/lookup.*bridle approvals answer/));
});
