import { RequestProblem } from "../problem.ts";
import type { PathNames } from "../route.ts";

/** The pattern of valid ids. Session ids can contain dots, but the folder names `.` and `..` are not valid ids. */
export const idPattern = /^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,128}$/;

/** Converts a path such as `/sessions/{session}` to the syntax of the router. */
export function toRouterPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

export function namesInPath(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

/**
 * Checks the names in a path. The router decodes them once, and leaves invalid escapes as they are, with their `%`. @throws
 * RequestProblem if a name is not a valid id.
 */
export function checkPathNames(names: PathNames): void {
  const wrong = Object.keys(names).find((name) => !idPattern.test(names[name] ?? ""));
  if (wrong === undefined) return;
  const message = `The ${wrong} in the path is not a valid id. An id has up to 128 letters, digits, dots, dashes and underscores.`;
  throw new RequestProblem(404, "no-id", message);
}
