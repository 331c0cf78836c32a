import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { RunEvent } from "@bridle/protocol";
import { onTestFinished } from "vitest";
import { createTestCli } from "../../../cli/src/command/cli-for-tests.ts";
import { withProject } from "../../src/context/project-context.ts";
import { createRuntime } from "../../src/runtime/index.ts";
import { openWorkspace, type Workspace, type WorkspaceOptions } from "../../src/serving/index.ts";
import { deskFiles } from "./desk-files.ts";

export { deskFiles };

/** Creates a folder with these files, removed after the test. */
export async function createFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "bridle-serving-"));
  onTestFinished(() => rm(folder, { recursive: true, maxRetries: 3 }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

/** Opens the context of the project in a folder, with real runtimes. */
export async function openTestContext(cwd: string, namespace?: string) {
  const { cli } = createTestCli([], { cwd, environment: { HOME: cwd, ...clearPath }, createRuntime });
  return withProject({ namespace }, cli);
}

/** Follows a session until an event of this type arrives. */
export async function untilEvent({ events }: Workspace, sessionId: string, type: RunEvent["type"]): Promise<RunEvent> {
  for await (const page of events.follow(sessionId, 0, new AbortController().signal)) {
    const found = page.find((event) => event.type === type);
    if (found) return found;
  }
  throw new Error("The events ended.");
}

const clearPath = { PATH: process.env.PATH ?? "" };

/** Opens a workspace for a folder with the agent `desk`. It is closed after the test. */
export async function openTestWorkspace(options: WorkspaceOptions = {}, given?: string) {
  const folder = given ?? (await createFolder(deskFiles));
  const workspace = await openWorkspace(await openTestContext(folder), {
    rehearse: join(folder, "script.yaml"),
    ...options,
  });
  onTestFinished(() => workspace.close());
  return { folder, workspace };
}
