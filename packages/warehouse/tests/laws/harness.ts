/** The facts about an engine that its test file provides for the connector suite. */
import type { z } from "zod";
import type { Connector, ValueType, WarehouseValue } from "../../src/index.ts";

export interface ConnectorHarness<Schema extends z.ZodObject = z.ZodObject> {
  readonly connector: Connector<Schema>;
  create(): Promise<ConnectorFixture<Schema>>;
  /** The engine's names for the types in the standard tables. */
  readonly types: { readonly integer: string; readonly text: string; readonly decimal: string; readonly date: string };
  /** Extreme values. For each key of `requiredValues`: a value, or the reason why the engine has no such value. */
  readonly values: Readonly<Record<RequiredValue, ExactValue | string>>;
  /** Whether a foreign key may name its parent's schema. Default: true. */
  readonly referencesWithSchema?: boolean | undefined;
  /** Whether names can only have characters up to U+FFFF. Default: false. */
  readonly hasBasicNames?: boolean | undefined;
  /** Whether a table has no change marker for some seconds after a change. Default: false. */
  readonly hasLateMarks?: boolean | undefined;
  /** A SELECT that returns at least 200,000 rows with one column, and needs no table of that size. */
  readonly manyRows: string;
  /** A SELECT that does not end by itself and returns no rows. */
  readonly runaway: string;
  /** Returns statements that create comments for the table `customers` and its column `name`: both `Who buys; "quoted"`. */
  readonly comments?: ((customers: string) => readonly string[]) | undefined;
  /** Connections that fail with one sentence that contains a remedy. */
  readonly broken: readonly BrokenConnection<Schema>[];
  /** The titles of laws to skip, each with the reason why the engine cannot keep it. */
  readonly skip?: Readonly<Record<string, string>> | undefined;
}

export interface ConnectorFixture<Schema extends z.ZodObject = z.ZodObject> {
  readonly config: z.output<Schema>;
  /** The schema of the standard tables. Unqualified names are looked up in it. */
  readonly schema: string;
  /** Runs one statement on a connection that may write. */
  write(sql: string): Promise<void>;
  /** Returns the number of other statements that run on the server now. Undefined if the server cannot report it. */
  countRunning?(): Promise<number>;
  /** Removes the database. */
  close(): Promise<void>;
}

/** A column of the table `exact`, and the value in its only row. */
export interface ExactValue {
  readonly nativeType: string;
  /** The value as the engine writes it. */
  readonly sql: string;
  readonly type: ValueType;
  readonly value: WarehouseValue;
}

interface BrokenConnection<Schema extends z.ZodObject> {
  /** What is wrong, for example `a wrong password`. */
  readonly why: string;
  config(): Promise<z.output<Schema>>;
  readonly code: string;
  readonly message: RegExp;
}

export const requiredValues = [
  "the greatest 64-bit integer",
  "the least 64-bit integer",
  "a decimal with 38 digits",
  "a decimal with trailing zeros",
  "a boolean",
  "a float",
  "NaN",
  "infinity",
  "an empty text",
  "a text with quotes, emoji and line breaks",
  "a date before 1970",
  "a date in 9999",
  "a time",
  "a timestamp before 1970 with microseconds",
  "a timestamp with a zone",
  "JSON with an integer of 20 digits",
  "an array with NULL",
  "a UUID",
  "bytes",
  "NULL",
] as const;
type RequiredValue = (typeof requiredValues)[number];
