import { join } from "node:path";
import { type FactsDatabase, Knowledge, openFacts, TableFiles } from "@bridle/context";
import type { ProjectContext } from "../context/project-context.ts";

/** What a project knows about its warehouses, open for reading. */
export interface OpenKnowledge {
  readonly facts: FactsDatabase;
  readonly files: TableFiles;
  readonly knowledge: Knowledge;
}

/** Runs `work` on what the project knows. Throws FactsError, and ConfigError if the project's state is not trusted. */
export async function withKnowledge<T>(
  { project }: Pick<ProjectContext, "project">,
  work: (open: OpenKnowledge) => T | Promise<T>,
): Promise<T> {
  await project.requireOwnState();
  const facts = openFacts({ file: join(project.folder, "context", "facts.sqlite") });
  try {
    const files = new TableFiles({ projectDir: project.projectDir });
    return await work({ facts, files, knowledge: new Knowledge({ facts: facts.reader, files }) });
  } finally {
    facts.close();
  }
}
