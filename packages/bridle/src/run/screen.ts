import { stripVTControlCharacters } from "node:util";
import type { Output } from "../cli/cli.ts";
import { createWaiting } from "./waiting.ts";

/** Standard output and standard error as one picture: they often end on the same terminal. */
export interface Screen {
  /** Adds to the answer. */
  say(text: string): void;
  /** Ends the answer's line, if it is within one. */
  endLine(): void;
  /** A line beside the answer, never within a line of it on the same terminal. */
  note(line: string): void;
  /** From now on there is nothing to show for a while. */
  wait(label: string): void;
  stopWaiting(): void;
}

export function createScreen(stdout: Output, stderr: Output): Screen {
  const waiting = createWaiting(stderr);
  const isShared = stdout.isTTY && stderr.isTTY;
  let isMidLine = false;

  function say(text: string): void {
    if (text === "") return;
    waiting.stop();
    stdout.write(stdout.isTTY ? harmless(text) : text);
    isMidLine = !text.endsWith("\n");
  }

  return {
    say,
    endLine() {
      if (isMidLine) say("\n");
    },
    note(line) {
      waiting.stop();
      if (isShared && isMidLine) {
        stderr.write("\n");
        isMidLine = false;
      }
      stderr.write(`${line}\n`);
    },
    wait(label) {
      if (!(isShared && isMidLine)) waiting.restart(label);
    },
    stopWaiting: waiting.stop,
  };
}

/** Without what a terminal would obey: a model wrote the text. Line feeds and tabs stay. */
function harmless(text: string): string {
  return stripVTControlCharacters(text).replace(/[^\P{Cc}\n\t]/gu, "");
}
