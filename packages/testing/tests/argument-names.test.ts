/** Tests misspelled arguments of a call that must not be made. They would match no call, so the test fails, for every kind of tool. */
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createTestProject, head, script, trialOf } from "./test-project.ts";

const server = `import { createInterface } from "node:readline";
const closed = { type: "object", properties: { order: { $ref: "#/$defs/order" } }, $defs: { order: { type: "object", properties: { id: { type: "string" } } } } };
const tools = [
  { name: "cancel", description: "Cancels.", annotations: { readOnlyHint: true }, inputSchema: closed },
  { name: "log", description: "Logs.", annotations: { readOnlyHint: true }, inputSchema: { type: "object" } },
];
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } }),
  "tools/list": () => ({ tools }),
  "tools/call": () => ({ content: [{ type: "text", text: "Done." }] }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || !answers[method]) continue;
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method](params ?? {}) }));
}
`;

const zod = fileURLToPath(import.meta.resolve("zod"));
const functions = `import { z } from ${JSON.stringify(zod)};
export const pay = {
  name: "pay", description: "Pays.", annotations: { readOnly: true },
  input: z.object({ cents: z.number(), note: z.string().optional() }), execute: async () => "Paid.",
};
export const look = () => "It is there.";
`;

const tools = `tools:
  - { type: mcp, name: shop, command: node, args: [server.mjs] }
  - { type: function, name: pay, file: functions.mjs, function: pay }
  - type: function
    name: look
    file: functions.mjs
    function: look
    description: Looks.
    annotations: { read_only: true }
    parameters: { id: { type: string }, place: { type: object, properties: { shelf: { type: integer } } } }
`;

const rows: readonly [title: string, tool: string, wrong: object, reason: RegExp, right: object][] = [
  ["MCP", "cancel", { oder: {} }, /argument oder does not exist\. Did you mean "order"/, { order: { id: "A-1" } }],
  ["MCP, within a mapping", "cancel", { order: { ids: "A-1" } }, /order\.ids does not exist/, { order: { id: "A-1" } }],
  ["Zod", "pay", { cent: 5 }, /argument cent does not exist\. Did you mean "cents"/, { cents: 5 }],
  ["Zod, another type", "pay", { cents: "5" }, /cents is a number, but "5" is a text/, { cents: 5, note: "x" }],
  ["parameters", "look", { ids: "A" }, /argument ids does not exist\. Did you mean "id"/, { id: "A" }],
  ["parameters, within a mapping", "look", { place: { shelve: 1 } }, /shelve does not exist/, { place: { shelf: 1 } }],
];

const quote = JSON.stringify;

test.each(rows)("%s: a misspelt argument of a forbidden call of %s fails, and a right one passes", async (...row) => {
  const [, tool, wrong, reason, right] = row;
  const forbids = (args: object) => `[{ name: ${tool}, args: ${quote(args)}, count: 0 }]`;
  const project = await createTestProject({
    "server.mjs": server,
    "functions.mjs": functions,
    "script.yaml": script("{ steps: [{ say: Done. }] }"),
    "agent.yaml": `${head}${tools}test_cases:
  - { name: wrong, input: Hi, expected_tools: ${forbids(wrong)} }
  - { name: right, input: Hi, expected_tools: ${forbids(right)} }
`,
  });
  const run = await project.test();
  expect(trialOf(run, "wrong").failures).toMatchObject([
    { kind: "unknown-argument", message: expect.stringMatching(reason) },
  ]);
  expect(trialOf(run, "right").failures).toEqual([]);
});

test("a tool whose server names no arguments has no forbidden arguments", async () => {
  const project = await createTestProject({
    "server.mjs": server,
    "functions.mjs": functions,
    "script.yaml": script("{ steps: [{ say: Done. }] }"),
    "agent.yaml": `${head}${tools}test_cases:
  - { name: args, input: Hi, expected_tools: [{ name: log, args: { line: secret }, count: 0 }] }
  - { name: never, input: Hi, expected_tools: [{ name: log, count: 0 }] }
`,
  });
  const run = await project.test();
  expect(trialOf(run, "args").failures).toMatchObject([{ message: expect.stringContaining("are not known, so") }]);
  expect(trialOf(run, "never").failures).toEqual([]);
});

test("a misspelt argument of a forbidden call of Claude Code's own tool fails", async () => {
  const project = await createTestProject({
    "script.yaml": script("{ steps: [{ say: Done. }] }"),
    "agent.yaml": `name: desk
model: { provider: claude-code, name: sonnet }
instructions: { inline: Be kind. }
claude: { bash: { enabled: true }, file_system: { read: true } }
test_cases:
  - { name: wrong, input: Hi, expected_tools: [{ name: Bash, args: { comand: { contains: rm } }, count: 0 }] }
  - { name: right, input: Hi, expected_tools: [{ name: Bash, args: { command: { contains: rm } }, count: 0 }] }
`,
  });
  const run = await project.test();
  expect(trialOf(run, "wrong").failures).toMatchObject([
    { kind: "unknown-argument", message: expect.stringContaining('comand does not exist. Did you mean "command"?') },
  ]);
  expect(trialOf(run, "right").failures).toEqual([]);
});
