import type { z } from "zod";
import type { Cli } from "./cli.ts";

/** One flag: its spelling, its help, and the values that it accepts. */
export interface Flag {
  /** The spelling in the help, such as `--tools <file>`. Without a value in angle brackets, the flag is a switch. */
  readonly flag: string;
  readonly description: string;
  readonly value: z.ZodType;
  /** The expected value, for the error message about an invalid value. Not needed if `value` is an enum. */
  readonly expected?: string;
  /** Whether the flag may be given several times. `value` is then the schema of the list. */
  readonly isRepeated?: boolean;
  /** The keys of flags that cannot be combined with this one. */
  readonly excludes?: readonly string[];
}

/** A word without a flag. */
export interface Operand {
  readonly name: string;
  readonly description: string;
  /** Whether any number of words is allowed. */
  readonly isRepeated?: boolean;
}

export type Flags = Readonly<Record<string, Flag>>;
/** The values of the flags. All of them are optional. */
export type FlagValues<F extends Flags> = { readonly [K in keyof F]?: z.output<F[K]["value"]> | undefined };

/** The parsed words of the command line. */
export interface Given<F extends Flags> {
  readonly operand: string | undefined;
  /** All operands, including the first one. */
  readonly operands: readonly string[];
  /** The words after `--`. Empty if the command accepts none there. */
  readonly rest: readonly string[];
  readonly flags: FlagValues<F>;
}

/** A command as a value: its help, its arguments and its work. */
export interface Command<F extends Flags = Flags> {
  readonly description: string;
  readonly operand?: Operand;
  readonly secondOperand?: Operand;
  /** The words that may follow `--`, as shown in the usage line. */
  readonly rest?: string;
  readonly flags: F;
  readonly examples: readonly string[];
  /** The text at the end of the help. */
  readonly notes?: string;
  /** Resolves with the exit code. */
  run(given: Given<F>, cli: Cli): Promise<number>;
}

/** A command before it is loaded. `name` may be two words. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Whether the first word of the name alone also runs this command. */
  readonly isDefault?: boolean;
  load(): Promise<Command>;
}

/** Infers the types of the flags for `run`. */
export function defineCommand<const F extends Flags>(command: Command<F>): Command {
  return { ...command, run: (given, cli) => command.run(given as Given<F>, cli) };
}
