/** A script that the engine can play: checked, with all defaults, and with compiled patterns. */

export interface Script {
  /** The script's file, or `script` if the script was created in code. */
  readonly file: string;
  readonly turns: readonly ScriptTurn[];
  /** The models that the server lists, if the script names them. */
  readonly models?: readonly string[] | undefined;
  /**
   * What answers when a test calls a judge: the script (the default), or a verdict that always passes or fails.
   */
  readonly judges?: "pass" | "fail" | "script" | undefined;
}

export interface ScriptTurn {
  /** Identifies the turn in failures, such as `turn 2 (when user "refund")`. Counts from 1. */
  readonly label: string;
  readonly number: number;
  readonly when: When;
  readonly steps: readonly Step[];
}

/** The conditions of a turn. All conditions that are set must be met. */
export interface When {
  readonly user?: ((text: string) => boolean) | undefined;
  readonly system?: ((text: string) => boolean) | undefined;
  readonly message?: number | undefined;
  readonly step?: number | undefined;
  readonly tool?: string | undefined;
}

export interface Step {
  /** The position in the list of steps, from 1. */
  readonly number: number;
  /** The number of repetitions; `Infinity` for endless repetition. */
  readonly times: number;
  readonly act: Act;
  readonly delayMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly limit?: Limit | undefined;
}

export type Act =
  | { readonly kind: "answer"; readonly content: Content; readonly delivery: Delivery; readonly ending: Ending }
  | {
      readonly kind: "refuse";
      readonly status: number;
      readonly errorType?: string | undefined;
      readonly message?: string | undefined;
    }
  | { readonly kind: "page"; readonly status: number }
  | { readonly kind: "reset" };

/** How an answer ends. `cut` and `stall` happen after the content, before the answer is closed. */
export type Ending = "whole" | "cut" | "stall";

export interface Content {
  readonly think?: string | undefined;
  readonly say?: string | undefined;
  readonly calls: readonly ScriptCall[];
  /** Set if the model answers with an object, which may be any JSON value. */
  readonly object?: { readonly value: unknown } | undefined;
  readonly oversizedBytes?: number | undefined;
  /** The length of the vectors, for embeddings. */
  readonly dimensions?: number | undefined;
  readonly stopReason?: string | undefined;
  readonly usage: ScriptUsage;
}

export interface ScriptCall {
  readonly tool: string;
  readonly input: { readonly value: unknown } | { readonly raw: string };
  /** Whether the input is a string, even if the client does not offer the tool as `custom`. */
  readonly isCustom?: boolean | undefined;
}

/** The usage of an answer, in tokens. */
export interface ScriptUsage {
  readonly input: number;
  readonly output: number;
  /** The output tokens used for reasoning, if a protocol reports them. */
  readonly reasoning: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface Delivery {
  /** Milliseconds between two pieces of text. */
  readonly chunkMs: number;
  readonly chunks: Chunks;
}

/** How a stream is divided: at events, inside every multi-byte character, or into chunks of this many bytes. */
export type Chunks = "events" | "inside-characters" | number;

/** The state of a subscription window, for response headers. */
export interface Limit {
  readonly resetsInSeconds: number;
  readonly window: string;
  readonly status: "allowed" | "allowed_warning" | "rejected";
  readonly utilization?: number | undefined;
}
