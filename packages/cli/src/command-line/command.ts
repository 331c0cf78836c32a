import type { z } from "zod";
import { type Cli } from "./cli.ts";

/** One flag: how it is written, what it says in the help, and what its value has to be. */
export interface Flag {
  /** As in the help: `--tools <file>`. Without a value in angle brackets it is a switch. */
  readonly flag: string;
  readonly description: string;
  readonly value: z.ZodType;
  /** What the value has to be, for the sentence that refuses another; not needed where it is one of a few names. */
  readonly expected?: string;
  /** It may stand there several times; `value` is then of the list of all of them. */
  readonly isRepeated?: boolean;
  /** Keys of flags that cannot stand beside this one. */
  readonly excludes?: readonly string[];
}

/** What stands without a flag. */
export interface Operand {
  readonly name: string;
  readonly description: string;
  /** Any number of them may stand there. */
  readonly isRepeated?: boolean;
}

export type Flags = Readonly<Record<string, Flag>>;
type FlagValues<F extends Flags> = { readonly [K in keyof F]?: z.output<F[K]["value"]> };

/** What was given on the command line. */
export interface Given<F extends Flags> {
  readonly operand: string | undefined;
  /** That one, and those behind it. */
  readonly operands: readonly string[];
  /** What stands after `--`; empty for a command that takes nothing there. */
  readonly rest: readonly string[];
  readonly flags: FlagValues<F>;
}

/** A command as a value: its help, its parsing and its work. */
export interface Command<F extends Flags = Flags> {
  readonly description: string;
  /** What stands without a flag, and first where there is more than one. */
  readonly operand?: Operand;
  readonly secondOperand?: Operand;
  /** What may stand after `--`, as the usage names it. */
  readonly rest?: string;
  readonly flags: F;
  readonly examples: readonly string[];
  /** What stands at the end of the help. */
  readonly notes?: string;
  /** Resolves with the exit code. */
  run(given: Given<F>, cli: Cli): Promise<number>;
}

/** What is known of a command before it is loaded. `name` may be two words. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<Command>;
}

/** Lets the types of the flags flow into `run`. */
export function defineCommand<const F extends Flags>(command: Command<F>): Command {
  return { ...command, run: (given, cli) => command.run(given as Given<F>, cli) };
}
