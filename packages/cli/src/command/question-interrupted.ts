import type { Interrupt } from "./cli.ts";

/** The user left a question that a command asks before it begins. The command ends with the code of the interrupt. */
export class QuestionInterrupted extends Error {
  override readonly name = "QuestionInterrupted";
  readonly interrupt: Interrupt;

  constructor(interrupt: Interrupt) {
    super(`The question was stopped: interrupted by ${interrupt}. Nothing was used.`);
    this.interrupt = interrupt;
  }
}
