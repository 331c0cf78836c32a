import { existsSync } from "node:fs";
import type { IngestStore } from "@bridle/ingest";
import { NotFoundError } from "@bridle/protocol";
import type { ProjectContext } from "../../context/project-context.ts";

/** Whether ingest has stored anything for the project. */
export async function hasIngested({ project }: Pick<ProjectContext, "project">): Promise<boolean> {
  const { ingestFile } = await import("@bridle/ingest");
  return existsSync(ingestFile({ stateDir: project.folder }));
}

/**
 * Runs `work` with the data that ingest has stored for the project.
 *
 * @throws NotFoundError if nothing was ingested; IngestStoreError; ConfigError if the project's state is not trusted.
 */
export async function withIngestState<T>(
  { project }: Pick<ProjectContext, "project">,
  work: (store: IngestStore) => T | Promise<T>,
): Promise<T> {
  await project.requireOwnState();
  if (!(await hasIngested({ project }))) {
    throw new NotFoundError('Nothing has been ingested yet. Run "bridle context ingest" first.');
  }
  const { openIngestStore } = await import("@bridle/ingest");
  const store = openIngestStore({ stateDir: project.folder });
  try {
    return await work(store);
  } finally {
    store.close();
  }
}
