import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Project } from "@bridle/project";

/** The maximum number of tokens for the user's remembered facts. Older facts are left out. */
const maxTokens = 1000;

/**
 * Reads the facts that this machine's user stored for all projects, as a part of instructions; empty if there are none. They are marked as
 * data. Throws ConfigError if the file is invalid.
 */
export async function userMemoryInstructions(
  project: Pick<Project, "projectDir" | "folder" | "userFolder">,
): Promise<string> {
  const { projectDir, folder: stateDir, userFolder: userDir } = project;
  if (userDir === undefined || !existsSync(join(userDir, "memory.yaml"))) return "";
  const [{ ScopedMemory }, { asLine, estimateReplyTokens, fenceLines }] = await Promise.all([
    import("@bridle/ingest"),
    import("@bridle/context"),
  ]);
  const facts = new ScopedMemory("user", { projectDir, stateDir, userDir }).facts();
  const statements = facts.toSorted((a, b) => (a.at < b.at ? 1 : -1)).flatMap((fact) => fact.statements);
  const lines: string[] = [];
  let left = maxTokens;
  for (const { statement, since } of statements) {
    const line = `- ${asLine(statement, 600)}${since === undefined ? "" : ` (since ${since})`}`;
    left -= estimateReplyTokens(line) + 1;
    if (left < 0) break;
    lines.push(line);
  }
  return lines.length === 0 ? "" : `This user wants you to know about their questions:\n\n${fenceLines(lines)}`;
}
