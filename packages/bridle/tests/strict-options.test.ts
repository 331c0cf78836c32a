/**
 * Checks that every exported function with options rejects a misspelt key, because ignoring the key could drop a denial. A new export fails
 * here until it has an entry.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import * as agent from "../src/agent.ts";
import * as context from "../src/context.ts";
import * as bridle from "../src/index.ts";
import * as testing from "../src/testing.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bridle-options-"));
  await writeFile(join(folder, "agent.yaml"), "name: desk\ninstructions: { inline: Be kind. }\n");
});
afterAll(() => rm(folder, { recursive: true }));

/** A function as a program without types calls it. */
type Loose = (...given: unknown[]) => unknown;
const loose = (call: unknown) => call as Loose;
const definition = () =>
  agent.defineAgent({ name: "desk", instructions: { inline: "Be kind." } }, { environment: {}, folder });
const rehearse = { rehearsal: 1, turns: [{ steps: [{ say: "Hello." }] }] };

interface Entry {
  /** Calls the function with these options in addition to the required ones. */
  readonly call: (options: Record<string, unknown>) => unknown;
  /** A misspelt key, and the nearest valid name. */
  readonly key: string;
  readonly nearest: string;
}

const entries: Readonly<Record<string, Entry>> = {
  createContext: { call: (o) => loose(context.createContext)(o), key: "projctDir", nearest: "projectDir" },
  createMemoryEventLog: { call: (o) => loose(bridle.createMemoryEventLog)(o), key: "maxRun", nearest: "maxRuns" },
  createPolicy: { call: (o) => loose(bridle.createPolicy)(o), key: "disabled", nearest: "disable" },
  createEmbedder: { call: (o) => loose(bridle.createEmbedder)(o), key: "confg", nearest: "config" },
  createRuntime: { call: (o) => loose(bridle.createRuntime)(o), key: "rehears", nearest: "rehearse" },
  doctor: { call: (o) => loose(bridle.doctor)(o), key: "boundry", nearest: "boundary" },
  models: { call: (o) => loose(bridle.models)(o), key: "bakend", nearest: "backend" },
  openProjectEventLog: { call: (o) => loose(bridle.openProjectEventLog)(o), key: "projctDir", nearest: "projectDir" },
  status: { call: (o) => loose(bridle.status)(o), key: "bakend", nearest: "backend" },
  createFolderTrust: {
    call: (o) => loose(bridle.createFolderTrust)({ environment: {}, ...o }),
    key: "aks",
    nearest: "ask",
  },
  defineTool: {
    call: (o) =>
      loose(bridle.defineTool)({ name: "a", description: "b", input: z.object({}), execute: () => "", ...o }),
    key: "anotations",
    nearest: "annotations",
  },
  withRememberedAnswers: {
    call: (o) => loose(bridle.withRememberedAnswers)({ id: "a", evaluate: () => "", ...o }),
    key: "disabeld",
    nearest: "disabled",
  },
  agentTool: {
    call: async (o) => {
      const opened = await agent.openAgent(await definition(), { rehearse, projectDir: folder } as never);
      try {
        return loose(agent.agentTool)(opened, o);
      } finally {
        await opened.close();
      }
    },
    key: "timeoutMS_",
    nearest: "timeoutMs",
  },
  defineAgent: {
    call: (o) => loose(agent.defineAgent)({ name: "a", instructions: { inline: "b" } }, { environment: {}, ...o }),
    key: "foldr",
    nearest: "folder",
  },
  describeAgent: {
    call: async (o) => loose(agent.describeAgent)(await definition(), o),
    key: "rehears",
    nearest: "rehearse",
  },
  loadAgent: {
    call: (o) => loose(agent.loadAgent)("agent.yaml", { environment: {}, cwd: folder, ...o }),
    key: "trsut",
    nearest: "trust",
  },
  openAgent: {
    call: async (o) => loose(agent.openAgent)(await definition(), { projectDir: folder, ...o }),
    key: "rehears",
    nearest: "rehearse",
  },
  listTestRuns: { call: (o) => loose(testing.listTestRuns)(folder, o), key: "befor", nearest: "before" },
  report: { call: (o) => loose(testing.report)({}, "json", o), key: "previus", nearest: "previous" },
  runTests: {
    call: async (o) => loose(testing.runTests)(await definition(), { projectDir: folder, ...o }),
    key: "allowSideEfects",
    nearest: "allowSideEffects",
  },
};

/** Exports without an options object, and the argument that they take instead. */
const withoutOptions: Readonly<Record<string, string>> = {
  createApprovalQueue: "nothing",
  createMemoryPermissions: "a list of answers",
  describeInput: "a JSON Schema",
  normaliseToolName: "a name",
  buildTranscript: "events",
  reduceTranscript: "a transcript and an event",
  emptyTranscript: "not a function",
  isBridleError: "any value",
  pendingApprovals: "events",
  runEventSchema: "not a function",
  AgentFileError: "a class of errors",
  compareTestRuns: "two results",
  readTestRun: "a folder and an id",
  testRunJsonSchema: "nothing",
  testRunSchema: "not a function",
  testRunsFolder: "the folder of a project",
};

function isErrorClass(value: unknown): boolean {
  return typeof value === "function" && (value === Error || value.prototype instanceof Error);
}

const exported = Object.entries({ ...bridle, ...agent, ...context, ...testing }).filter(
  ([, value]) => !isErrorClass(value),
);

test("every export has an entry here: with a misspelt key, or without options", () => {
  const known = [...Object.keys(entries), ...Object.keys(withoutOptions)];
  expect(exported.map(([name]) => name).filter((name) => !known.includes(name))).toEqual([]);
});

test.each(Object.entries(entries))(
  "%s refuses a misspelt key with the nearest name",
  async (name, { call, key, nearest }) => {
    const refused = await (async () => call({ [key]: "x" }))().catch((error: unknown) => error);
    expect(bridle.isBridleError(refused), String(refused)).toBe(true);
    expect(refused).toHaveProperty("message", expect.stringContaining(`${name}: `));
    expect(refused).toHaveProperty("message", expect.stringContaining(`"${key}"`));
    expect(refused).toHaveProperty("message", expect.stringContaining(`Did you mean "${nearest}"?`));
  },
);

test("the methods of an open agent refuse a misspelt policy and other keys", async () => {
  const opened = await agent.openAgent(await definition(), { rehearse, projectDir: folder } as never);
  try {
    const session = await opened.openSession();
    for (const call of [
      async () => loose(opened.openSession.bind(opened))({ polcy: "x" }),
      async () => loose(opened.run.bind(opened))("Hi", { polcy: "x" }),
      async () => loose(session.send.bind(session))("Hi", { polcy: "x" }),
    ]) {
      await expect(call()).rejects.toThrow('unknown key "polcy". Did you mean "policy"?');
    }
  } finally {
    await opened.close();
  }
});
