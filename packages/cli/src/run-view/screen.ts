import { type Environment } from "@bridle/project";
import { type Output } from "../command-line/cli.ts";
import { harmless } from "@bridle/app";
import { createWaiting } from "../terminal/waiting.ts";

/** Standard output and standard error as one picture: they often end on the same terminal. */
export interface Screen {
  /** Adds to the answer. */
  say(text: string): void;
  /** Ends the answer's line, if it is within one. */
  endLine(): void;
  /** A line beside the answer, never within a line of it on the same terminal. */
  note(line: string): void;
  /** From now on there is nothing to show for a while, or for as long as `leftMs` says. */
  wait(label: string, leftMs?: number): void;
  /** Leaves the terminal to somebody else, at the beginning of a line. */
  yield(): void;
  /** Nothing follows: no line is left open. */
  end(): void;
}

export function createScreen(stdout: Output, stderr: Output, environment: Environment): Screen {
  const waiting = createWaiting(stderr, environment);
  const isShared = stdout.isTTY && stderr.isTTY;
  let isMidLine = false;

  function say(text: string): void {
    if (text === "") return;
    waiting.stop();
    stdout.write(stdout.isTTY ? harmless(text) : text);
    isMidLine = !text.endsWith("\n");
  }

  function endLine(): void {
    if (isMidLine) say("\n");
  }

  /** From here on a line of standard error stands by itself. */
  function stepAside(): void {
    waiting.stop();
    if (!isShared || !isMidLine) return;
    stderr.write("\n");
    isMidLine = false;
  }

  return {
    say,
    endLine,
    yield: stepAside,
    note(line) {
      stepAside();
      stderr.write(`${line}\n`);
    },
    wait(label, leftMs) {
      if (!(isShared && isMidLine)) waiting.restart(label, leftMs);
    },
    end() {
      waiting.stop();
      endLine();
    },
  };
}
