import { type Output } from "../command-line/cli.ts";
import { harmless } from "@bridle/app";
import { wrap } from "./wrap.ts";

/** Says something for good: whole, and on a terminal in lines that fit. */
export function saySentence(text: string, output: Output): void {
  const width = output.isTTY ? (output.columns ?? 80) : Number.POSITIVE_INFINITY;
  const lines = harmless(text)
    .split("\n")
    .flatMap((line) => wrap(line, width));
  output.write(`${lines.join("\n")}\n`);
}
