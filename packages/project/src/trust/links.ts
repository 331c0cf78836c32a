/** Finds links that lead out of a project. A project may come from anybody, and such a link could reveal any file of the machine. */
import { dirname, isAbsolute, relative } from "node:path";
import { findRepository } from "@bridle/core";
import { ConfigError } from "@bridle/protocol";
import { realPath } from "../effects/effect-values.ts";

/** Whether a file is a link that leads out of the repository of its folder, or out of the folder if there is no repository. */
export function isForeignLink(path: string): boolean {
  const folder = dirname(path);
  const way = relative(realPath(findRepository(folder)?.root ?? folder), realPath(path));
  return way === ".." || /^\.\.[/\\]/.test(way) || isAbsolute(way);
}

/** Throws ConfigError if a file is a link that leads out of its project. */
export function refuseForeignLink(path: string): void {
  if (!isForeignLink(path)) return;
  const message = `${path} is a link that leads out of the folder. Name the file itself, or copy it.`;
  throw new ConfigError(message, { field: "projectDir" });
}
