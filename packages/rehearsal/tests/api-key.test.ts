import { createSdkMcpServer, type SDKUserMessage, tool } from "@anthropic-ai/claude-agent-sdk";
import { expect, test } from "vitest";
import { z } from "zod";
import { prepare, runClaudeCode, type Turns } from "./claude-code.ts";

async function run(turns: Turns, options = {}) {
  const { rehearsal, folder } = await prepare(turns);
  const environment = { ANTHROPIC_API_KEY: "sk-ant-rehearsal", ANTHROPIC_BASE_URL: rehearsal.url };
  const messages = await runClaudeCode({ folder, environment, options });
  return { rehearsal, messages, result: messages.find(({ type }) => type === "result") };
}

function shop() {
  const look = tool("lookup_order", "Looks up an order", { id: z.string() }, async ({ id }) => ({
    content: [{ type: "text", text: JSON.stringify({ id, status: "shipped" }) }],
  }));
  return {
    mcpServers: { bridle: createSdkMcpServer({ name: "bridle", tools: [look] }) },
    allowedTools: ["mcp__bridle__lookup_order"],
  };
}

test("Claude Code plays a loop of tools from the script, faults included", async () => {
  const orders = [
    { call: "lookup_order", with: { id: "A-1" } },
    { call: "lookup_order", with: { id: "B-2" } },
  ];
  const { rehearsal, result } = await run(
    [
      {
        when: { user: "hello" },
        steps: [
          { think: "Which?", say: "Let mé löok 🔎", calls: orders, split_utf8: true },
          { call: "Bash", with: { command: "id" } },
          { call: "lookup_order", with_text: '{"id": "C' },
          { call: "lookup_order", with: { id: "D-4" } },
          { say: "Order {{ lookup_order.result.id }} is {{ lookup_order.result.status }}, naïve 😀.", chunk_bytes: 3 },
        ],
      },
    ],
    shop(),
  );
  expect(rehearsal.failures).toEqual([]);
  expect(result).toMatchObject({ subtype: "success", result: "Order D-4 is shipped, naïve 😀." });
  expect(rehearsal.requests.map(({ played }) => played?.step)).toEqual([1, 2, 3, 4, 5]);
});

test("Claude Code retries a broken connection and continues with the next step", async () => {
  const { rehearsal, result } = await run([{ steps: [{ say: "one two", cut: true }, { say: "whole" }] }]);
  expect(result).toMatchObject({ subtype: "success", result: "whole" });
  expect(rehearsal.requests.map(({ played }) => played?.step)).toEqual([1, 2]);
});

test("Claude Code gets an object, also after a retry", async () => {
  const schema = { type: "object", properties: { answer: { type: "number" } }, required: ["answer"] };
  const { rehearsal, result } = await run([{ steps: [{ say: "Forty-two." }, { object: { answer: 42 } }] }], {
    outputFormat: { type: "json_schema", schema },
  });
  expect(rehearsal.failures).toEqual([]);
  expect(result).toMatchObject({ subtype: "success", structured_output: { answer: 42 } });
});

test("a conversation continues after a failed turn", async () => {
  const { rehearsal, folder } = await prepare([
    { when: { user: "first" }, steps: [{ status: 402 }] },
    { when: { user: "second" }, steps: [{ say: "Paid" }] },
  ]);
  const environment = { ANTHROPIC_API_KEY: "sk-ant-rehearsal", ANTHROPIC_BASE_URL: rehearsal.url };
  const toPrompt = (content: string): SDKUserMessage => ({
    type: "user",
    message: { role: "user", content },
    parent_tool_use_id: null,
  });
  async function* prompts() {
    yield toPrompt("first");
    await rehearsal.nextRequest();
    yield toPrompt("second");
  }
  const messages = await runClaudeCode({ prompt: prompts(), folder, environment });
  const results = messages.filter(({ type }) => type === "result");
  expect(results).toMatchObject([{ is_error: true, api_error_status: 402 }, { result: "Paid" }]);
});

test("a script that is too short ends the run with an error that names turn and step", async () => {
  const { rehearsal, result } = await run([{ steps: [{ call: "Bash" }] }]);
  expect(result).toMatchObject({
    is_error: true,
    result: expect.stringContaining("Rehearsal: script, turn 1: step 2 was requested"),
  });
  expect(rehearsal.failures).toHaveLength(1);
});
