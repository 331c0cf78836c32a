/** Files that an agent's file names outside of its folder. They are not the agent's own, so they are read only if they are trusted. */
import { isAbsolute, relative, resolve } from "node:path";
import { type FileProblem, isOutside, type YamlFile } from "@bridle/project";

/** Whether a path in the agent's folder is a link that leads out of it. */
export function isLinkOut(baseDir: string, name: string): boolean {
  const way = relative(baseDir, resolve(baseDir, name));
  const isPathOut = way === ".." || /^\.\.[/\\]/.test(way) || isAbsolute(way);
  return !isPathOut && isOutside(baseDir, name);
}

/** The problems of a file without its content, because the readers of the output may not be allowed to see it. */
export function withoutContent<T>(file: YamlFile<T>): YamlFile<T> {
  return { ...file, problems: file.problems.map(hideContent) };
}

export function hideContent({ position }: FileProblem): FileProblem {
  const message =
    "this is not as it has to be there. It is not shown, because the file is outside of the agent's folder.";
  return { message, position };
}
