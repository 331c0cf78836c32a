/** `.bridle/server.json`: records which server serves a project. `bridle serve --status --json` prints the status. */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPrivateFolder, readTextFile } from "@bridle/core";
import { systemErrorCode } from "@bridle/protocol";
import { z } from "zod";
import type { ProjectContext } from "../../context/project-context.ts";

const recordSchema = z.strictObject({
  pid: z.int().positive(),
  /** The address, without a token. */
  url: z.string(),
  started: z.iso.datetime(),
});

export const serverStatusSchema = z.strictObject({
  isRunning: z.boolean(),
  /** The running server; null if none is running. */
  server: recordSchema.nullable(),
});

export type ServerStatus = z.output<typeof serverStatusSchema>;
type ServerRecord = z.output<typeof recordSchema>;

/** Records which server serves the project, until `removeServerFile` is called. Only this user can read the file. */
export function writeServerFile({ project }: Pick<ProjectContext, "project">, record: ServerRecord): void {
  createPrivateFolder(project.folder);
  const path = pathOf(project);
  const draft = `${path}.${record.pid}`;
  writeFileSync(draft, `${JSON.stringify(record, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path); // completely written, and in place of a link
}

/** Removes the file, unless another server has replaced it. */
export async function removeServerFile(context: Pick<ProjectContext, "project">, pid: number): Promise<void> {
  const record = await readRecord(context);
  if (record?.pid === pid) rmSync(pathOf(context.project), { force: true });
}

/**
 * Whether a server serves the project. Sends no request, because the address in the file may belong to another program by now.
 */
export async function readServerStatus(context: Pick<ProjectContext, "project">): Promise<ServerStatus> {
  await context.project.requireOwnState();
  const record = await readRecord(context);
  const server = record !== undefined && isAlive(record.pid) ? record : null;
  return serverStatusSchema.parse({ isRunning: server !== null, server });
}

async function readRecord({ project }: Pick<ProjectContext, "project">): Promise<ServerRecord | undefined> {
  try {
    return recordSchema.parse(JSON.parse(await readTextFile(pathOf(project))));
  } catch {
    return undefined; // there is no file, or a server was killed while it wrote the file
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) === "EPERM"; // another user's process
  }
}

function pathOf({ folder }: ProjectContext["project"]): string {
  return join(folder, "server.json");
}
