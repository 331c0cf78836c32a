/** The content of code that a part of an agent's file runs, so that a change of the code asks again. */
import { resolve } from "node:path";
import { readModuleGraph } from "../modules/module-graph.ts";

/** The contents of the files that the texts in a value name, and of the modules that those import by a path. */
export function codeContent(value: unknown, baseDir: string): (readonly [path: string, content: string])[] {
  return [...readModuleGraph(namedPaths(value, baseDir)).files];
}

/** The paths that the texts in a value may mean, at any depth. */
export function namedPaths(value: unknown, baseDir: string): string[] {
  return texts(value).map((text) => resolve(baseDir, text));
}

function texts(value: unknown): string[] {
  if (typeof value === "string") return value === "" || value.length > 4096 || value.includes("\0") ? [] : [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(texts) : [];
}
