import type { Interrupt } from "./cli.ts";

/** Thrown if the user leaves a question that a command asks before it begins. The command ends with the exit code of the interrupt. */
export class QuestionInterrupted extends Error {
  override readonly name = "QuestionInterrupted";
  readonly interrupt: Interrupt;

  constructor(interrupt: Interrupt) {
    super(`The question was stopped: interrupted by ${interrupt}. Nothing was used.`);
    this.interrupt = interrupt;
  }
}
