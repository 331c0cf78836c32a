import { stripControlCharacters } from "@bridle/app";
import type { Output } from "../command-line/cli.ts";
import { wrap } from "./wrap.ts";

/** Prints a sentence in full, wrapped to the width of a terminal. */
export function printSentence(text: string, output: Output): void {
  const width = output.isTTY ? (output.columns ?? 80) : Number.POSITIVE_INFINITY;
  const lines = stripControlCharacters(text)
    .split("\n")
    .flatMap((line) => wrap(line, width));
  output.write(`${lines.join("\n")}\n`);
}

/** Prints a value as indentLines JSON. */
export function printJson(value: unknown, output: Output): void {
  output.write(`${JSON.stringify(value, undefined, 2)}\n`);
}
