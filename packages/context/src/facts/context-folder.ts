import { join } from "node:path";

/** The folders of a project's context. */
export interface ContextFolder {
  /** The folder of `bridle.yaml`. Its folder `context` has the files that users and agents write. */
  readonly projectDir: string;
  /** The folder for files that can be measured again, such as `.bridle`. */
  readonly stateDir: string;
}

/** The folder with one folder for each connection. */
export function tableFilesFolder({ projectDir }: Pick<ContextFolder, "projectDir">): string {
  return join(projectDir, "context", "tables");
}

export function tableFilePath(
  folder: Pick<ContextFolder, "projectDir">,
  { connection, schema }: { readonly connection: string; readonly schema: string },
): string {
  return join(tableFilesFolder(folder), encodeName(connection), `${encodeName(schema)}.yaml`);
}

/** A database may give a schema any name. The name of its file stays in its folder, on every system. */
export function encodeName(name: string): string {
  if (name === "") return "%";
  return name
    .toWellFormed()
    .normalize("NFC")
    .replaceAll(/[%/\\:*?"<>|\p{Cc}]|^\.|[. ]$/gu, (character) =>
      encodeURIComponent(character).replace(".", "%2E").replace("*", "%2A"),
    );
}

/** The name that was encoded; undefined if the file has another origin. */
export function decodeName(text: string): string | undefined {
  if (text === "%") return "";
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

export function changesFile({ stateDir }: Pick<ContextFolder, "stateDir">): string {
  return join(stateDir, "context", "changes.db");
}
