import type { Logger } from "@bridle/protocol";
import type { Output } from "../command/cli.ts";
import { toPrintable } from "./printable.ts";

/** Writes warnings and errors to standard error, one per line. Lower levels are dropped. */
export function createStderrLogger(stderr: Output): Logger {
  const write = (level: string) => (fields: object, message: string) =>
    stderr.write(toPrintable(`${level}: ${message}${formatReason(fields)}\n`));
  return { debug() {}, info() {}, warn: write("warning"), error: write("error") };
}

function formatReason(fields: object): string {
  const error: unknown = Reflect.get(fields, "error");
  return error instanceof Error ? ` (${error.message})` : "";
}
