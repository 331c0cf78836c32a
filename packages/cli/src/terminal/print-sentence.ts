import { showHiddenInJson } from "@bridle/protocol";
import type { Output } from "../command/cli.ts";
import { nameCommands, wholeCommands } from "../command/name-commands.ts";
import { columnsOf } from "./columns.ts";
import { toPrintable } from "./printable.ts";
import { wrap } from "./wrap.ts";

/**
 * Prints a sentence in full, wrapped to the width of a terminal. Commands in it are written as the reader can start them, and stay on one
 * line.
 */
export function printSentence(text: string, output: Output): void {
  const width = output.isTTY ? (output.columns ?? 80) : Number.POSITIVE_INFINITY;
  const lines = toPrintable(nameCommands(text, output))
    .split("\n")
    .flatMap((line) => wrap(line, width, columnsOf, wholeCommands(output)));
  output.write(`${lines.join("\n")}\n`);
}

/** Returns the number of columns that a row may take. Some terminals wrap a row that uses all columns. */
export function screenWidth(output: Output): number {
  return output.isTTY ? (output.columns ?? 80) - 1 : Number.POSITIVE_INFINITY;
}

/** Formats a value as JSON without hidden characters, which a terminal would obey. The value stays the same. */
export function formatJson(value: unknown, space?: number): string {
  return showHiddenInJson(JSON.stringify(value, undefined, space) ?? "null");
}

/** Prints a value as indented JSON. */
export function printJson(value: unknown, output: Output): void {
  output.write(`${formatJson(value, 2)}\n`);
}
