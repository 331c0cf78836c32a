/** Files that an agent's file names and that are missing or cannot be read. */
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type FileProblem, shownPath, type YamlFile } from "@bridle/project";
import type { ToolKind } from "@bridle/protocol";
import { systemErrorCode } from "@bridle/protocol";
import { namedFiles } from "./named-files.ts";

interface Surroundings {
  readonly baseDir: string;
  readonly cwd: string;
  readonly kinds: readonly ToolKind[];
}

/** A problem for each named file that does not exist or cannot be read. */
export async function fileProblems(
  yaml: YamlFile<unknown>,
  { baseDir, cwd, kinds }: Surroundings,
): Promise<FileProblem[]> {
  const checked = namedFiles(yaml.raw, kinds).map(async ({ path, name, isBehaviour }) => {
    const full = resolve(baseDir, name);
    const problem = await findProblem(full, isBehaviour);
    const field = path.join(".");
    const message = `${field} names ${shownPath(full, cwd)}, which ${problem}`;
    return problem === undefined ? [] : [{ message, position: yaml.at(path), field }];
  });
  return (await Promise.all(checked)).flat();
}

/** Why a path cannot be used, and what to do. `mustBeFile`: a folder is a problem too. */
async function findProblem(path: string, mustBeFile: boolean): Promise<string | undefined> {
  try {
    const isFolder = (await stat(path)).isDirectory();
    if (mustBeFile && isFolder) return "is a folder. Name a file.";
    if (mustBeFile) await readFile(path);
    return undefined;
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR")
      return "does not exist. Correct the path; it starts in the folder of the agent's file.";
    return `cannot be read (${code}). Make it readable, or name another.`;
  }
}
