/** A script in the form that the engine plays: checked, with all defaults, and with compiled patterns. */

export interface Script {
  /** The file of the script, or `script` if it was made in code. */
  readonly file: string;
  readonly turns: readonly ScriptTurn[];
  /** The models that the server lists, if the script names them. */
  readonly models?: readonly string[] | undefined;
  /**
   * Decides who answers when a test asks a model to judge: the script (the default), or a judgement that always passes
   * or fails.
   */
  readonly judges?: "pass" | "fail" | "script" | undefined;
}

export interface ScriptTurn {
  /** `turn 2 (when user "refund")`, for failures; counts from 1. */
  readonly label: string;
  readonly number: number;
  readonly when: When;
  readonly steps: readonly Step[];
}

/** Every condition that is set must hold. */
export interface When {
  readonly user?: ((text: string) => boolean) | undefined;
  readonly system?: ((text: string) => boolean) | undefined;
  readonly message?: number | undefined;
  readonly step?: number | undefined;
  readonly tool?: string | undefined;
}

export interface Step {
  /** Its position in the list, from 1. */
  readonly number: number;
  /** The number of repetitions; `Infinity` without end. */
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

/** `cut` and `stall` happen after the content and before it is closed. */
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
  /** Whether the input is a text, even if the client offers no such tool. */
  readonly isCustom?: boolean | undefined;
}

/** Tokens. */
export interface ScriptUsage {
  readonly input: number;
  readonly output: number;
  /** The reasoning part of the output, if a protocol reports it. */
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
