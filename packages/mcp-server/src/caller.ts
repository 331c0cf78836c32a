import type { AnyTool, Policy } from "@bridle/protocol";

/** The caller of the tools: the program at the other end of the standard streams, or the owner of a token. */
export interface Caller {
  /** `stdio`, or the name of the token. Never the token itself. */
  readonly name: string;
  readonly transport: "stdio" | "http";
  /** Whether the caller may call tools that are not annotated `readOnly`. */
  readonly writes: boolean;
  /** The caller's access, as defined by the owner of the tools. The server passes it on without reading it. */
  readonly scope?: unknown;
}

/** The tools of one caller. */
export interface CallerTools {
  readonly tools: readonly AnyTool[];
  /** Rules that apply in addition to those of the runtime. */
  readonly policy?: Policy | undefined;
  /** The names of tools that the caller does not see. */
  readonly hidden?: readonly string[] | undefined;
  /** Text about the tools for the client's model. */
  readonly instructions?: string | undefined;
}
