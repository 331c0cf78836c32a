/**
 * Tests how much work it takes to open agents that call each other over many levels. The tests count operations instead of measuring time.
 */
import type { FolderTrust, ToolKind } from "@bridle/protocol";
import { expect, test } from "vitest";
import { z } from "zod";
import { createAgentFixture } from "../../tests/agent-fixture.ts";
import { findAgentProblems, findAgentProject, loadAgent, openAgent } from "../index.ts";
import { toolKinds } from "../tool-kinds/registry.ts";
import { delegationFiles } from "./nested-files-for-tests.ts";

const { agentFile, api } = delegationFiles;

class Work {
  /** How often each operation was done with an agent file. */
  steps = 0;
  opened = 0;

  readonly kind: ToolKind = {
    type: "counted",
    summary: "Counts what is asked about it.",
    schema: z.strictObject({ type: z.literal("counted"), name: z.string() }),
    example: { type: "counted", name: "counter" },
    describe: () => "a counter",
    effects: () => this.#step([]),
    names: () => this.#step([]),
    check: async () => this.#step(undefined),
    open: async () => {
      this.opened++;
      return this.#step({ tools: [], close: async () => {} });
    },
  };

  readonly trust: FolderTrust = {
    check: async (files) => {
      this.steps += files.length;
      return files.map(({ path, effects }) => ({
        path,
        effects,
        isTrusted: true,
        isChanged: false,
        added: [],
        former: [],
      }));
    },
    require: async (files) => {
      this.steps += files.length;
    },
  };

  #step<T>(result: T): T {
    this.steps++;
    return result;
  }
}

/** Writes agents that each have `width` entries for the next agent. */
async function createLevels(levels: number, width: number, limit: number) {
  const nameOf = (index: number) => (index === 0 ? "agent.yaml" : `level-${index}.yaml`);
  const fileOf = (index: number) => {
    const entries = Array.from(
      { length: index < levels ? width : 0 },
      (_, entry) => `  - { type: agent, name: next_${entry}, file: ${nameOf(index + 1)} }\n`,
    );
    const more = index === 0 ? `execution: { max_depth: ${limit} }\n` : "";
    return agentFile(`level-${index}`, api, `tools:\n  - { type: counted, name: counter }\n${entries.join("")}${more}`);
  };
  const files = Array.from({ length: levels + 1 }, (_, index) => [nameOf(index), fileOf(index)] as const);
  return createAgentFixture(Object.fromEntries(files));
}

async function workOf(levels: number, what: "open" | "check", width = 1): Promise<Work> {
  const fixture = await createLevels(levels, width, 20);
  try {
    const work = new Work();
    const definition = await loadAgent("agent.yaml", {
      cwd: fixture.folder,
      environment: { HOME: fixture.folder },
      trust: work.trust,
      toolKinds: [...toolKinds, work.kind],
    });
    if (what === "open") await (await openAgent(definition, { projectDir: fixture.folder })).close();
    else await findAgentProblems(definition, await findAgentProject(definition, { projectDir: fixture.folder }));
    return work;
  } finally {
    await fixture.close();
  }
}

test.each(["open", "check"] as const)(
  "to %s agents over many levels takes work in proportion to their number",
  { timeout: 120_000 },
  async (what) => {
    const [four, eight, sixteen] = [await workOf(4, what), await workOf(8, what), await workOf(16, what)];
    expect(sixteen.steps - eight.steps).toBe(2 * (eight.steps - four.steps));
    expect(sixteen.opened).toBe(what === "open" ? 17 : 0);
  },
);

test("to check agents that several others name takes work in proportion to their files", {
  timeout: 120_000,
}, async () => {
  const [four, eight, sixteen] = [
    await workOf(4, "check", 2),
    await workOf(8, "check", 2),
    await workOf(16, "check", 2),
  ];
  expect(sixteen.steps - eight.steps).toBe(2 * (eight.steps - four.steps));
});

test("agents whose number doubles with each level are refused with the files that lead to the last one", {
  timeout: 120_000,
}, async () => {
  await expect(workOf(12, "open", 2)).rejects.toThrow(
    /agent\.yaml leads to more than 100 agents, .*level-1\.yaml → .*Remove entries or levels/,
  );
});

test("a file that asks for more levels than there may be is refused with the limit", async () => {
  const fixture = await createLevels(1, 1, 1000);
  try {
    await expect(
      loadAgent("agent.yaml", { cwd: fixture.folder, environment: {}, toolKinds: [...toolKinds, new Work().kind] }),
    ).rejects.toThrow("execution.max_depth is 1000, but must be at most 20.");
  } finally {
    await fixture.close();
  }
});
