/** Finds files that an agent file names and that are missing or cannot be read. */
import { access, constants, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { readTextFile } from "@bridle/core";
import { type FileProblem, isOutside, shownPath, type YamlFile } from "@bridle/project";
import type { ToolKind } from "@bridle/protocol";
import { systemErrorCode } from "@bridle/protocol";
import { namedFiles } from "./named-files.ts";
import { isLinkOut } from "./outside-files.ts";

interface Surroundings {
  readonly baseDir: string;
  readonly cwd: string;
  readonly kinds: readonly ToolKind[];
  /** Whether files outside of the agent's folder are read and checked for existence. */
  readonly readsOutside: boolean;
}

/** Returns a problem for each named file that does not exist or cannot be read. */
export async function fileProblems(
  yaml: YamlFile<unknown>,
  { baseDir, cwd, kinds, readsOutside }: Surroundings,
): Promise<FileProblem[]> {
  const checked = namedFiles(yaml.raw, kinds).map(async ({ path, name, isBehaviour }) => {
    const full = resolve(baseDir, name);
    const field = path.join(".");
    const position = yaml.at(path);
    if (isAddress(name)) return [{ message: `${field} ${ofAddress}`, position, field }];
    const isText = textFields.includes(field);
    if (isText && isLinkOut(baseDir, name))
      return [{ message: `${field} names ${shownPath(full, cwd)}, ${ofLink}`, position, field }];
    if (!readsOutside && isOutside(baseDir, name)) return []; // whether it exists must not matter to a clone
    const problem = await findProblem(full, isBehaviour, isText);
    const message = `${field} names ${shownPath(full, cwd)}, which ${problem}`;
    return problem === undefined ? [] : [{ message, position, field }];
  });
  return (await Promise.all(checked)).flat();
}

/** Whether a name is an address, such as https://…, s3://… or az://…. Addresses are not shown, because they may contain credentials. */
function isAddress(name: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(name);
}

const ofAddress = "is an address, but Bridle downloads nothing. Download it, and write the path of the copy.";

const ofLink = "which is a link that leads out of the folder. Name the file itself, or copy it.";

/** Fields that name files which are read when the agent is loaded. */
const textFields = ["instructions.file", "response_format", "test_cases_file"];

/** Returns why a path cannot be used, and what to do. With `mustBeFile`, folders are refused; with `isText`, very large files are, too. */
async function findProblem(path: string, mustBeFile: boolean, isText: boolean): Promise<string | undefined> {
  try {
    const info = await stat(path);
    if (mustBeFile && info.isDirectory()) return "is a folder. Name a file.";
    if (mustBeFile && !info.isFile()) return "is not a regular file. Name a file.";
    if (isText) await readTextFile(path);
    else if (mustBeFile) await access(path, constants.R_OK);
    return undefined;
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR")
      return "does not exist. Correct the path; it starts in the folder of the file that names it.";
    return `cannot be read (${code}). Make it readable, or name another.`;
  }
}
