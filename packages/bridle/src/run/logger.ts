import type { Logger } from "@bridle/protocol";
import type { Output } from "../cli/cli.ts";
import { harmless } from "./harmless.ts";

/** Warnings and errors as lines on standard error; what is less stays unsaid. */
export function createStderrLogger(stderr: Output): Logger {
  const write = (level: string) => (fields: object, message: string) =>
    stderr.write(harmless(`${level}: ${message}${reasonIn(fields)}\n`));
  return { debug() {}, info() {}, warn: write("warning"), error: write("error") };
}

function reasonIn(fields: object): string {
  const error: unknown = Reflect.get(fields, "error");
  return error instanceof Error ? ` (${error.message})` : "";
}
