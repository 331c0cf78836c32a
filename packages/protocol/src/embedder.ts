export interface EmbedOptions {
  /** Ends the call with a StoppedError when it is aborted, even during a wait or a request. */
  readonly signal?: AbortSignal;
  /** Milliseconds until the call ends with a TimeoutError, including waits and repeated requests. Default: no limit. */
  readonly timeoutMs?: number;
}

export interface Embeddings {
  /**
   * One vector for each text, in the order of the texts. All have the same length, and every number is finite.
   *
   * Why `Float32Array` and not `number[]`: models compute in 32 bits or fewer, so nothing is lost. It needs half the
   * memory, vector stores accept its bytes, and it cannot contain null. For JSON: `Array.from(vector)`.
   */
  readonly vectors: readonly Float32Array[];
  /** 0 if the host does not report it. */
  readonly usage: { readonly inputTokens: number };
}

/**
 * Turns texts into vectors with one model. It never invents a vector: a call resolves with a vector for each text, or
 * rejects with a BridleError.
 */
export interface Embedder {
  /** The backend's name, as in a configuration. */
  readonly id: string;
  readonly model: string;
  /** Identifies who pays, for the account limiter. Equal for embedders with the same credential; contains no secret. */
  readonly account: string;
  /**
   * Sends nothing for an empty list.
   *
   * @throws InvalidRequestError if a text is empty, with its index. Nothing is sent then.
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Embeddings>;
  /** Ends calls in progress with a StoppedError and refuses later calls. */
  close(): Promise<void>;
}
