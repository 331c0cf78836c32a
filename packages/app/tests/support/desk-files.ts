/** An agent with a tool that requires an answer, on a rehearsed model. */
export const deskFiles: Readonly<Record<string, string>> = {
  "bridle.yaml": "llm: { provider: { backend: openai }, models: { default: desk-model } }\n",
  "agent.yaml": `name: desk
description: Answers questions about orders.
instructions: { inline: Be kind. }
model: { provider: openai, name: desk-model }
tools:
  - type: function
    name: lookup
    file: tools.mjs
    function: lookup
    description: Finds an order.
    parameters: { id: { type: string, description: The number. } }
policy: { rules: [{ tool: lookup, then: ask }] }
`,
  "tools.mjs": `export function lookup({ id }) { return "Order " + id + " is on its way."; }\n`,
  "script.yaml": `rehearsal: 1
turns:
  - when: { user: order }
    steps:
      - call: lookup
        with: { id: "7" }
      - say: It is on its way.
  - when: { user: slow }
    steps: [{ delay_ms: 20000, say: Late. }]
  - steps: [{ say: Hello from the desk. }]
`,
};
