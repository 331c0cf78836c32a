/** Tests nested agents in difficult cases: a rule of an agent in the middle, and files that disappear. */
import { ofType } from "@bridle/conformance";
import { expect, test } from "vitest";
import { agentFolder, playAgent } from "../../tests/play-agent.ts";
import { delegationFiles } from "./nested-files-for-tests.ts";

const { agentFile, api, calls, functions, toolModule, turn } = delegationFiles;

test("a denial by the rules of the agent in the middle reaches the last one, whose caller continues with its words", async () => {
  const { events, result } = await playAgent({
    folder: await agentFolder(),
    files: {
      "bridle.yaml": "",
      "tools.mjs": toolModule,
      "agent.yaml": agentFile("boss", api, calls("middle")),
      "middle.yaml": agentFile(
        "middle",
        api,
        `${calls("last")}policy: { rules: [{ tool: last, then: allow }, { tool: erase, then: deny }] }\n`,
      ),
      "last.yaml": agentFile("last", api, `${functions("erase")}policy: { rules: [{ tool: erase, then: allow }] }\n`),
      "script.yaml": `rehearsal: 1\nturns:\n${turn("boss", "{ call: middle, with: { task: a } }, { say: '{{ middle.result }}' }")}${turn(
        "middle",
        "{ call: last, with: { task: b } }, { say: 'They say: {{ last.result }}' }",
      )}${turn("last", "{ call: erase }, { say: '{{ erase.result }}' }")}`,
    },
    options: { mode: "yolo" },
  });
  expect(result).toMatchObject({ stopReason: "natural", text: expect.stringMatching(/^They say: .*not allowed/) });
  expect(ofType(events, "tool.progress").map(({ message }) => message)).toContain("last: ✗ erase denied");
});

const removingModule = `${toolModule}import { rmSync } from "node:fs";
export const remove = {
  ...look, name: "remove", execute: async (_input, { projectDir }) => {
    for (const name of ["reader.yaml", "tools.mjs"]) rmSync(projectDir + "/" + name);
    return "removed";
  },
};
`;

test("an agent whose file vanishes while its caller runs works as it was opened", async () => {
  const tools = `${functions("remove")}  - { type: agent, name: reader, file: reader.yaml }\n`;
  const { result } = await playAgent({
    folder: await agentFolder(),
    files: {
      "bridle.yaml": "",
      "tools.mjs": removingModule,
      "agent.yaml": agentFile("boss", api, tools),
      "reader.yaml": agentFile("reader", api, functions("look")),
      "script.yaml": `rehearsal: 1\nturns:\n${turn(
        "boss",
        "{ call: remove }, { call: reader, with: { task: a } }, { say: '{{ reader.result }}' }",
      )}${turn("reader", "{ call: look }, { say: 'It is {{ look.result }}.' }")}`,
    },
  });
  expect(result).toMatchObject({ stopReason: "natural", text: "It is seen.", nested: { runs: 1, toolCalls: 1 } });
});
