import { type Cli } from "../command-line/cli.ts";
import { createPaint } from "./paint.ts";
import { type Page } from "./page.ts";

/** Standard output as a page: a terminal has an edge, and a pipe has none. */
export function pageOf({ stdout, environment }: Pick<Cli, "stdout" | "environment">): Page {
  const width = stdout.isTTY ? (stdout.columns ?? 80) : Number.POSITIVE_INFINITY;
  return { width, paint: createPaint(stdout, environment) };
}
