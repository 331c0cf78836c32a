/** Skills in runs, on every kind of backend. */
import { expect, test } from "vitest";
import { agentFolder, playAgent } from "./play-agent.ts";

const files = {
  "agent.yaml": "name: desk\ninstructions: { inline: You help. }\nskills: [skills]\n",
  "skills/refunds/SKILL.md": "---\nname: refunds\ndescription: How to refund.\n---\nAsk for the number first.\n",
  "skills/refunds/forms/letter.md": "Dear customer",
  "script.yaml": `
rehearsal: 1
turns:
  - when: { system: "- refunds: How to refund." }
    steps:
      - { call: load_skill, with: { name: refunds } }
      - { call: load_skill, with: { name: refunds, file: forms/letter.md } }
      - { call: load_skill, with: { name: refunds, file: ../../agent.yaml } }
      - { call: Skill, with: { skill: refunds } }
      - { say: "Done." }
`,
};

test.for(["claude-code", "anthropic", "openai"] as const)(
  "a skill is listed, loaded and isolated on %s",
  async (backend) => {
    const folder = await agentFolder();
    const options = { backend, ...(backend === "openai" && { model: "gpt-6-sol" }) };
    const { events, result } = await playAgent({ folder, files, options });
    expect(result).toMatchObject({ stopReason: "natural", text: "Done." });
    const ended = events.filter(({ type }) => type === "tool.finished" || type === "tool.denied");
    expect(ended).toMatchObject([
      { ok: true, output: expect.stringMatching(/^Ask for the number first\.[\s\S]*- forms\/letter\.md$/) },
      { ok: true, output: "Dear customer" },
      { ok: false, output: expect.stringContaining("outside of the skill's folder") },
      { type: "tool.denied" },
    ]);
  },
);
