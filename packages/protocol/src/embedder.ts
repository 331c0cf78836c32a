export interface EmbedOptions {
  /** When aborted, ends the call with a StoppedError, even during a wait or a request. */
  readonly signal?: AbortSignal;
  /** Milliseconds until the call ends with a TimeoutError, including waits and repeated requests. Default: no limit. */
  readonly timeoutMs?: number;
}

export interface Embeddings {
  /**
   * One vector for each text, in the order of the texts. All vectors have the same length, and every number is finite.
   *
   * The type is `Float32Array` because models compute in 32 bits or fewer, so nothing is lost. Unlike `number[]`, it needs half the memory,
   * vector stores accept its bytes, and it cannot contain null. For JSON, use `Array.from(vector)`.
   */
  readonly vectors: readonly Float32Array[];
  /** The number of input tokens; 0 if the host does not report it. */
  readonly usage: { readonly inputTokens: number };
}

/** Turns texts into vectors with one model. A call resolves with a vector for each text, or rejects with a BridleError. */
export interface Embedder {
  /** The backend's name, as in a configuration. */
  readonly id: string;
  readonly model: string;
  /** Identifies who pays, for the account limiter. Embedders with the same credential have the same value, which contains no secret. */
  readonly account: string;
  /**
   * Embeds the texts. Sends nothing for an empty list.
   *
   * @throws InvalidRequestError if a text is empty, with its index. Nothing is sent then.
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Embeddings>;
  /** Ends calls in progress with a StoppedError and refuses later calls. */
  close(): Promise<void>;
}
