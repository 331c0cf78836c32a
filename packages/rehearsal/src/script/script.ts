/** A script in the form that the engine plays: checked, without defaults left open, patterns compiled. */

export interface Script {
  /** The file it came from, or `script` for one made in code. */
  readonly file: string;
  readonly turns: readonly Turn[];
  /** What the server says that there is, where the script says it. */
  readonly models?: readonly string[];
}

export interface Turn {
  /** `turn 2 (when user "refund")`, as failures name it; counts from 1. */
  readonly label: string;
  readonly number: number;
  readonly when: When;
  readonly steps: readonly Step[];
}

/** Every condition that is present has to hold. */
export interface When {
  readonly user?: (text: string) => boolean;
  readonly system?: (text: string) => boolean;
  readonly message?: number;
  readonly step?: number;
  readonly tool?: string;
}

export interface Step {
  /** Its place in the list, from 1. */
  readonly number: number;
  /** How often it happens in succession; `Infinity` for ever. */
  readonly times: number;
  readonly act: Act;
  readonly delayMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly limit?: Limit;
}

export type Act =
  | { readonly kind: "answer"; readonly content: Content; readonly delivery: Delivery; readonly ending: Ending }
  | { readonly kind: "refuse"; readonly status: number; readonly errorType?: string; readonly message?: string }
  | { readonly kind: "page"; readonly status: number }
  | { readonly kind: "reset" };

/** `cut` and `stall` happen when the content has been sent and before it is closed. */
export type Ending = "whole" | "cut" | "stall";

export interface Content {
  readonly think?: string;
  readonly say?: string;
  readonly calls: readonly Call[];
  /** Present when the model answers with an object, which may be any JSON value. */
  readonly object?: { readonly value: unknown };
  readonly oversizedBytes?: number;
  /** Of the vectors, where texts are embedded. */
  readonly dimensions?: number;
  readonly stopReason?: string;
  readonly usage: Usage;
}

export interface Call {
  readonly tool: string;
  readonly input: { readonly value: unknown } | { readonly raw: string };
}

/** Tokens. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  /** The part of the output that was reasoning, where a protocol tells. */
  readonly reasoning: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface Delivery {
  /** Wait between two pieces of text. */
  readonly chunkMs: number;
  readonly chunks: Chunks;
}

/** Where the bytes of a stream are divided: at events, inside every multi-byte character, or every so many bytes. */
export type Chunks = "events" | "inside-characters" | number;

/** The state of a subscription window, as response headers tell it. */
export interface Limit {
  readonly resetsInSeconds: number;
  readonly window: string;
  readonly status: "allowed" | "allowed_warning" | "rejected";
  readonly utilization?: number;
}
