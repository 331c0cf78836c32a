import type { Project } from "@bridle/project";

export interface ArtifactReader {
  /** A content of the project's record, by its id. */
  read(id: string): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Opens the record with the first artifact that is asked for, which few tests need. */
export function createArtifactReader(project: Pick<Project, "openEventLog">): ArtifactReader {
  let opening: ReturnType<Project["openEventLog"]> | undefined;
  return {
    async read(id) {
      opening ??= project.openEventLog();
      return (await opening).artifact(id);
    },
    async close() {
      const record = await opening?.catch(() => undefined); // whoever asked was told
      record?.close();
    },
  };
}
