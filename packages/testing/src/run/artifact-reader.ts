import type { Project } from "@bridle/project";

export interface ArtifactReader {
  /** Reads an artifact of the project's event log by its id. */
  read(id: string): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Opens the event log for the first requested artifact, because few tests need one. */
export function createArtifactReader(project: Pick<Project, "openEventLog">): ArtifactReader {
  let opening: ReturnType<Project["openEventLog"]> | undefined;
  return {
    async read(id) {
      opening ??= project.openEventLog();
      return (await opening).artifact(id);
    },
    async close() {
      const record = await opening?.catch(() => undefined); // the caller of read got the error
      await record?.close();
    },
  };
}
