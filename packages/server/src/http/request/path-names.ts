import { RequestProblem } from "../problem.ts";
import type { PathNames } from "../route.ts";

/** Ids of sessions may have dots. The two names of folders are no ids. */
export const idPattern = /^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,128}$/;

/** `/sessions/{session}` as the router has it. */
export function toRouterPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

export function namesInPath(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

/** The names are decoded once, by the router. What it cannot decode still has its %. @throws RequestProblem if one is no id. */
export function checkPathNames(names: PathNames): void {
  const wrong = Object.keys(names).find((name) => !idPattern.test(names[name] ?? ""));
  if (wrong === undefined) return;
  const message = `The ${wrong} in the path is no id. An id has up to 128 letters, digits, dots, dashes and underscores.`;
  throw new RequestProblem(404, "no-id", message);
}
