import { existsSync } from "node:fs";
import type { IngestStore } from "@bridle/ingest";
import { InvalidRequestError } from "@bridle/protocol";
import type { ProjectContext } from "../../context/project-context.ts";

/**
 * Runs `work` on what ingest remembers about the project.
 *
 * @throws InvalidRequestError if nothing was ingested; IngestStoreError; ConfigError if the project's state is not trusted.
 */
export async function withIngestState<T>(
  { project }: Pick<ProjectContext, "project">,
  work: (store: IngestStore) => T | Promise<T>,
): Promise<T> {
  await project.requireOwnState();
  const { ingestFile, openIngestStore } = await import("@bridle/ingest");
  const folder = { stateDir: project.folder };
  if (!existsSync(ingestFile(folder))) {
    throw new InvalidRequestError('Nothing has been ingested yet. Run "bridle context ingest" first.');
  }
  const store = openIngestStore(folder);
  try {
    return await work(store);
  } finally {
    store.close();
  }
}
