/** A desk whose agent calls another agent. The other agent's calls need an answer. */
import { type DeskModel, startDesk } from "./protocol-desk.ts";

export const delegatingFiles = {
  "agent.yaml": `name: desk
description: Answers questions about orders.
instructions: { inline: Be kind. }
tools: [{ type: agent, name: helper, file: helper.yaml }]
policy: { mode: normal, rules: [{ tool: helper, then: allow }, { tool: lookup, then: allow }] }
`,
  "helper.yaml": `name: helper
description: Finds orders.
instructions: { inline: You are helper. }
tools:
  - { type: function, name: lookup, file: tools.mjs, function: lookup, description: Finds an order., parameters: { id: { type: string, description: The number. } } }
policy: { mode: normal, rules: [{ tool: lookup, then: ask }] }
`,
  "script.yaml": `rehearsal: 1
turns:
  - when: { system: You are helper., user: both }
    steps:
      - { calls: [{ call: lookup, with: { id: "7" } }, { call: lookup, with: { id: "8" } }] }
      - { say: "Both are found." }
  - when: { system: You are helper. }
    steps:
      - { call: lookup, with: { id: "7" } }
      - { say: "Found: {{ lookup.result }}" }
  - when: { user: /two helpers/ }
    steps:
      - { calls: [{ call: helper, with: { task: first } }, { call: helper, with: { task: second } }] }
      - { say: "Both have answered." }
  - when: { user: /both/ }
    steps: [{ say: I ask., call: helper, with: { task: both } }, { say: "They say: {{ helper.result }}" }]
  - when: { user: /order/ }
    steps: [{ say: I ask., call: helper, with: { task: one } }, { say: "They say: {{ helper.result }}" }]
  - steps: [{ say: Hello from the desk. }]
`,
};

/** The same files, with a helper that is annotated as read-only, so that its calls run concurrently. */
export const readingFiles = {
  ...delegatingFiles,
  "helper.yaml": delegatingFiles["helper.yaml"].replace("parameters:", "annotations: { read_only: true }, parameters:"),
};

export function startDelegatingDesk(model?: DeskModel) {
  return startDesk(model, delegatingFiles);
}
