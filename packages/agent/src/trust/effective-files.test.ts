import { trustEverything } from "@bridle/project";
import type { FolderTrust } from "@bridle/protocol";
import { expect, test } from "vitest";
import { createAgentFixture } from "../../tests/agent-fixture.ts";
import { delegationFiles } from "../delegation/nested-files-for-tests.ts";

const { agentFile, api, calls, functions, toolModule } = delegationFiles;

test("a person is asked once about the files of an agent and of all agents below it", async () => {
  const asked: (readonly string[])[] = [];
  const trust: FolderTrust = {
    ...trustEverything,
    require: async (files) => {
      asked.push(files.filter(({ effects }) => effects.length > 0).map(({ path }) => path.replace(/^.*\//, "")));
    },
  };
  const fixture = await createAgentFixture({
    "tools.mjs": toolModule,
    "middle.yaml": agentFile("middle", api, calls("last")),
    "last.yaml": agentFile("last", api, functions("erase")),
  });
  try {
    await fixture.open(agentFile("boss", api, calls("middle", "last")), [], { trust }).catch(() => {});
    expect(asked[0]).toEqual(["agent.yaml", "middle.yaml", "last.yaml"]);
  } finally {
    await fixture.close();
  }
});
