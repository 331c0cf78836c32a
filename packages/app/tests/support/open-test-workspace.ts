import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { RunEvent } from "@bridle/protocol";
import { onTestFinished } from "vitest";
import { createTestCli } from "../../../cli/src/command-line/cli-for-tests.ts";
import { withProject } from "../../src/context/project-context.ts";
import { createRuntime } from "../../src/runtime/index.ts";
import { openWorkspace, type Workspace, type WorkspaceOptions } from "../../src/serving/index.ts";

/** An agent with a tool that needs an answer, on a model of a rehearsal. */
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

/** A folder with these files, removed after the test. */
export async function createFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "bridle-serving-"));
  onTestFinished(() => rm(folder, { recursive: true, maxRetries: 3 }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

/** The context of the project in a folder, with real runtimes. */
export async function openTestContext(cwd: string, namespace?: string) {
  const { cli } = createTestCli([], { cwd, environment: { HOME: cwd, ...clearPath }, createRuntime });
  return withProject({ namespace }, cli);
}

/** Follows a session until it has an event of this type. */
export async function untilEvent({ events }: Workspace, sessionId: string, type: RunEvent["type"]): Promise<RunEvent> {
  for await (const page of events.follow(sessionId, 0, new AbortController().signal)) {
    const found = page.find((event) => event.type === type);
    if (found) return found;
  }
  throw new Error("The events ended.");
}

const clearPath = { PATH: process.env.PATH ?? "" };

/** A workspace over a folder with the desk, which is closed after the test. */
export async function openTestWorkspace(options: WorkspaceOptions = {}, given?: string) {
  const folder = given ?? (await createFolder(deskFiles));
  const workspace = await openWorkspace(await openTestContext(folder), {
    rehearse: join(folder, "script.yaml"),
    ...options,
  });
  onTestFinished(() => workspace.close());
  return { folder, workspace };
}
