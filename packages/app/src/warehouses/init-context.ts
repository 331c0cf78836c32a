import { basename, dirname } from "node:path";
import { z } from "zod";
import { type ProjectContext, withProject } from "../context/project-context.ts";
import { trustCreated } from "../trust/trust-folder.ts";
import { addConnections } from "./discovery/add-connections.ts";
import { findDatabases } from "./discovery/find-databases.ts";
import type { FoundDatabase } from "./discovery/found-database.ts";

const names = z.array(z.string()).readonly();

export const contextInitSchema = z.object({
  /** The path of bridle.yaml. */
  file: z.string(),
  found: z.array(z.object({ name: z.string(), source: z.string() })).readonly(),
  added: names,
  /** Names that the file already contained. Their entries were not changed. */
  kept: names,
});
export type ContextInit = z.output<typeof contextInitSchema>;

/** Chooses among the databases that were found. Contract: reject to write nothing, for example if the user cancels. */
export type ChooseDatabases = (found: readonly FoundDatabase[]) => Promise<readonly FoundDatabase[]>;

/**
 * Finds databases and adds the chosen ones to `bridle.yaml`. Opens no connection. If the file was trusted before, it stays trusted. Throws
 * ConfigError.
 */
export async function initContext(choose: ChooseDatabases, context: ProjectContext): Promise<ContextInit> {
  await context.project.requireTrust();
  const found = await findDatabases(context);
  const chosen = found.length === 0 ? [] : await choose(found);
  const { file, added, kept } = await addConnections(chosen, context);
  if (added.length > 0) await trustCreated(dirname(file), [basename(file)], context);
  const { project, ...outside } = context;
  await withProject({ projectDir: project.projectDir }, outside); // reads the file again, and throws if it is not valid
  return contextInitSchema.parse({ file, found: found.map(({ name, source }) => ({ name, source })), added, kept });
}
