import { relative } from "node:path";
import { findUserPosition, firstLineOf } from "@bridle/project";
import { formatPosition } from "@bridle/protocol";
import type { AppContext } from "../context/app-context.ts";
import { ownFolders } from "./own-folders.ts";

/** Explains an error that a tool threw outside of its call, for example in a timer, with the position in the user's files. */
export function explainFault(error: unknown, { cwd, packageRoot }: Pick<AppContext, "cwd" | "packageRoot">): string {
  const found = error instanceof Error ? findUserPosition(error, ownFolders(packageRoot)) : undefined;
  const position = found ? ` (${formatPosition({ ...found, file: relative(cwd, found.path) })})` : "";
  const remedy = "Await every promise of the tool, and return or throw from its call.";
  return `A tool failed outside its call: ${firstLineOf(error)}${position}. ${remedy}`;
}
