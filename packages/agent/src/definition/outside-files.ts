/**
 * Files outside of the agent's folder that an agent file names. They are not part of the agent, so they are read only if they are trusted.
 */
import { isAbsolute, relative, resolve } from "node:path";
import { type FileProblem, isOutside, type YamlFile } from "@bridle/project";

/** Whether a path in the agent's folder is a link that leads out of the folder. */
export function isLinkOut(baseDir: string, name: string): boolean {
  const way = relative(baseDir, resolve(baseDir, name));
  const isPathOut = way === ".." || /^\.\.[/\\]/.test(way) || isAbsolute(way);
  return !isPathOut && isOutside(baseDir, name);
}

/** Describes the problems of a file without its content, because readers of the message may not be allowed to see the content. */
export function withoutContent<T>(file: YamlFile<T>): YamlFile<T> {
  return { ...file, problems: file.problems.map(hideContent) };
}

export function hideContent({ position }: FileProblem): FileProblem {
  const message =
    "this is not as it has to be there. It is not shown, because the file is outside of the agent's folder.";
  return { message, position };
}
