/** Messages between a connection and the process that runs its engine. Both sides come from the same build. */
import {
  AuthenticationError,
  BudgetExceededError,
  ConfigError,
  InvalidRequestError,
  isBridleError,
  NetworkError,
  StoppedError,
  TimeoutError,
} from "@bridle/protocol";
import { z } from "zod";
import type { SafetyFinding, ServerInfo } from "../port/connector.ts";
import type { StatementLimits } from "../port/limits.ts";
import { type TableName, valueTypes, type WarehouseStructure } from "../port/structure.ts";
import type { WarehouseRow } from "../port/values.ts";
import { StatementTimeoutError } from "../sessions/timeout-failure.ts";

/** A request. Each request has one reply, except `run`: the first reply contains the columns, and each `next` requests more rows. */
export type EngineRequest =
  | { readonly do: "open"; readonly config: unknown; readonly projectDir: string }
  | { readonly do: "structure"; readonly schemas: readonly string[] | undefined; readonly max: number | undefined }
  | { readonly do: "marks"; readonly tables: readonly TableName[]; readonly max: number | undefined }
  | { readonly do: "functions" }
  | { readonly do: "safety" }
  | { readonly do: "rest" }
  | { readonly do: "close" }
  | { readonly do: "run"; readonly sql: string; readonly limits: StatementLimits }
  | { readonly do: "next" }
  /** No more rows are needed. */
  | { readonly do: "stop" }
  /** The caller's signal was aborted. This request has no separate reply. */
  | { readonly do: "abort" };

/**
 * A request with its number. Its replies have the same number. `next`, `stop` and `abort` use the number of the request that they refer to.
 */
export type NumberedRequest = EngineRequest & { readonly id: number };

const failureSchema = z.object({ name: z.string(), code: z.string(), message: z.string() });
type EngineFailure = z.output<typeof failureSchema>;

const resultColumn = z.object({ name: z.string(), type: z.enum(valueTypes), nativeType: z.string() });
const count = { id: z.number(), statements: z.number() };
const isObject = (value: unknown) => typeof value === "object" && value !== null;

export const engineReply = z.discriminatedUnion("is", [
  z.object({ ...count, is: z.literal("opened"), server: z.custom<ServerInfo>(isObject) }),
  z.object({ ...count, is: z.literal("structure"), structure: z.custom<WarehouseStructure>(isObject) }),
  z.object({ ...count, is: z.literal("marks"), marks: z.array(z.string().optional()) }),
  z.object({ ...count, is: z.literal("functions"), functions: z.set(z.string()).optional() }),
  z.object({ ...count, is: z.literal("safety"), findings: z.array(z.custom<SafetyFinding>(isObject)) }),
  z.object({ ...count, is: z.literal("done") }),
  /** A progress message that precedes the reply. */
  z.object({ ...count, is: z.literal("progress"), done: z.number(), total: z.number() }),
  z.object({ ...count, is: z.literal("columns"), columns: z.array(resultColumn) }),
  // The rows are not validated: Bridle starts the process, and a scan reads millions of values.
  z.object({ ...count, is: z.literal("rows"), rows: z.custom<readonly WarehouseRow[]>(Array.isArray) }),
  z.object({ ...count, is: z.literal("end"), truncated: z.enum(["rows", "bytes"]).optional() }),
  z.object({ ...count, is: z.literal("failed"), failure: failureSchema }),
]);
export type EngineReply = z.output<typeof engineReply>;

/** A reply without its number and the number of statements. */
export type EngineAnswer = EngineReply extends infer Reply
  ? Reply extends EngineReply
    ? Omit<Reply, "id" | "statements">
    : never
  : never;

/** Returns the class, the code and the message of an error. The error's cause is not sent to the other process. */
export function describeFailure(error: unknown): EngineFailure {
  if (isBridleError(error)) return { name: error.name, code: error.code, message: error.message };
  return { name: "", code: "", message: error instanceof Error ? error.message : String(error) };
}

const classes = {
  config: ConfigError,
  authentication: AuthenticationError,
  network: NetworkError,
  timeout: TimeoutError,
  invalid_request: InvalidRequestError,
  stopped: StoppedError,
  budget_exceeded: BudgetExceededError,
} as const;

/** Creates the error that a failure describes. */
export function toEngineError({ name, code, message }: EngineFailure): Error {
  if (name === StatementTimeoutError.name) return new StatementTimeoutError(message);
  const known = Object.entries(classes).find(([each]) => each === code)?.[1];
  return known === undefined ? new Error(message) : new known(message);
}
