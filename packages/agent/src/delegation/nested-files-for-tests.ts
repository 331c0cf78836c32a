/** Writes the files of agents that are tools of other agents. */

const api = "{ provider: openai, name: gpt-5.5, api_key: k }";
/** Models by backend. */
const models = {
  openai: api,
  "claude-code": "{ provider: claude-code, name: haiku }",
  codex: "{ provider: codex, name: gpt-5.5 }",
  copilot: "{ provider: copilot, name: gpt-5.5, api_key: k }",
};
const agentFile = (name: string, model: string, more = "") =>
  `name: ${name}\ndescription: Knows about ${name}.\nmodel: ${model}\ninstructions: { inline: You are ${name}. }\n${more}`;
const calls = (...names: string[]) =>
  `tools:\n${names.map((name) => `  - { type: agent, name: ${name}, file: ${name}.yaml }\n`).join("")}`;
const turn = (name: string, steps: string) => `  - { when: { system: You are ${name}. }, steps: [${steps}] }\n`;
const toolModule = `export const look = {
  name: "look", description: "Looks.", annotations: { readOnly: true },
  input: { jsonSchema: { type: "object", properties: {} }, problems: () => [] }, execute: async () => "seen",
};
export const erase = { ...look, name: "erase", description: "Erases.", annotations: { destructive: true } };
`;
const functions = (...names: string[]) =>
  `tools:\n${names.map((name) => `  - { type: function, name: ${name}, file: tools.mjs, function: ${name} }\n`).join("")}`;

export const delegationFiles = { agentFile, api, calls, functions, models, toolModule, turn };
