/** The tools of the odd server. `odd-server.ts` defines their behaviour. */

const anything = { type: "object" };

const tool = (name: string, more: object = {}) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: anything,
  ...more,
});

export const oddTools: readonly object[] = [
  tool("environment"),
  tool("pid"),
  tool("die"),
  tool("die_safely", { annotations: { readOnlyHint: true } }),
  tool("hang"),
  tool("freeze"),
  tool("fail"),
  tool("throw"),
  tool("mixed"),
  tool("structured"),
  tool("long"),
  tool("steps"),
  tool("ask_back"),
  tool("log"),
  tool("grow"),
  tool("echo", {
    inputSchema: {
      type: "object",
      properties: {
        text: { type: "string", minLength: 1 },
        kind: { enum: ["a", "b"] },
        lines: { type: "array", items: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } },
      },
      required: ["text"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false, destructiveHint: false },
  }),
  tool("erase", { annotations: { destructiveHint: true, openWorldHint: true } }),
];
