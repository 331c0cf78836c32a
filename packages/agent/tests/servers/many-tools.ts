/** Two hundred tools with schemas like those of real servers: references, unions, enums, nesting. */
export const manyTools: readonly object[] = Array.from({ length: 200 }, (_, index) => ({
  name: `tool_${index}`,
  description: `Number ${index}.`,
  inputSchema: {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    $defs: {
      money: { type: "object", properties: { cents: { type: "integer" }, currency: { enum: ["EUR", "USD"] } } },
    },
    properties: {
      price: { $ref: "#/$defs/money" },
      who: {
        anyOf: [
          { type: "string", format: "email" },
          { type: "object", properties: { id: { const: index } }, required: ["id"] },
        ],
      },
      tree: { type: "array", items: { type: "array", items: { type: ["number", "null"] } }, maxItems: 3 },
    },
    required: ["who"],
    additionalProperties: false,
  },
}));
