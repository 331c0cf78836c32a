import type { Cli } from "../command/cli.ts";
import type { Page } from "./page.ts";
import { createPaint } from "./paint.ts";

/** Describes standard output as a page. A pipe has no width. */
export function stdoutPage({ stdout, environment }: Pick<Cli, "stdout" | "environment">): Page {
  const width = stdout.isTTY ? (stdout.columns ?? 80) : Number.POSITIVE_INFINITY;
  return { width, paint: createPaint(stdout, environment) };
}
