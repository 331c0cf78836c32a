import { relative } from "node:path";
import { firstLineOf, placeOf } from "@bridle/project";
import { formatPosition } from "@bridle/protocol";
import type { Cli } from "../cli/cli.ts";
import { ownFolders } from "./load-tools.ts";

/** The sentence about an error of a tool that reached the process instead of its call. */
export function explainFault(error: unknown, { cwd, packageRoot }: Pick<Cli, "cwd" | "packageRoot">): string {
  const place = error instanceof Error ? placeOf(error, ownFolders(packageRoot)) : undefined;
  const where = place ? ` (${formatPosition({ ...place, file: relative(cwd, place.path) })})` : "";
  return `A tool failed outside of its call: ${firstLineOf(error)}${where}. Let it await what it starts, and return or throw.`;
}
