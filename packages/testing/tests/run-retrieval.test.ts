/** Tests the retrieved text that metrics and graders get. */
import { expect, test } from "vitest";
import { createTestProject, head, script, trialOf } from "./test-project.ts";

const server = `import { createInterface } from "node:readline";
const tool = { name: "search", description: "Searches.", annotations: { readOnlyHint: true }, inputSchema: { type: "object", properties: {} } };
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } }),
  "tools/list": () => ({ tools: [tool] }),
  "tools/call": () => ({ content: [{ type: "text", text: "beginning " + "x".repeat(60000) + " middle " + "x".repeat(60000) + " end" }] }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || !answers[method]) continue;
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method](params ?? {}) }));
}
`;

test("metrics get the whole retrieved text even if the model saw a part, and the case's own text instead of it", async () => {
  const testProject = await createTestProject({
    "server.mjs": server,
    "grader.mjs": `export const whole = ({ retrievalContext: [text], calls: [call] }) => ({
  score: text.includes(" middle ") && !call.output.includes(" middle ") ? 1 : 0,
  reason: String(text.length),
});
export const frozen = (facts) => {
  try { facts.calls[0].input.id = 1; } catch { return Object.isFrozen(facts.transcript) && Object.isFrozen(facts.calls[0].input); }
  return false;
};
export const own = ({ retrievalContext }) => retrievalContext.join() === "mine";
`,
    "agent.yaml": `${head}tools: [{ type: mcp, name: library, command: node, args: [server.mjs], is_retrieval: true }]
test_cases:
  - name: found
    input: Ask
    evaluations:
      - { type: code, name: whole, file: grader.mjs, function: whole }
      - { type: code, name: frozen, file: grader.mjs, function: frozen }
  - name: given
    input: Ask
    retrieval_context: [mine]
    evaluations: [{ type: code, name: own, file: grader.mjs, function: own }]
`,
    "script.yaml": script("{ steps: [{ call: search, with: {} }, { say: Found. }] }"),
  });
  const run = await testProject.test();
  expect(trialOf(run, "found").failures).toEqual([]);
  expect(trialOf(run, "given").failures).toEqual([]);
  expect(trialOf(run, "given").turns[0]?.retrievalContext).toEqual(["mine"]);
});
