export interface EmbedOptions {
  /** Aborting it ends the call with a StoppedError, whatever is under way. */
  readonly signal?: AbortSignal;
  /** Milliseconds until the whole call, waits and repeated requests included, ends with a TimeoutError. Default: no limit. */
  readonly timeoutMs?: number;
}

export interface Embeddings {
  /**
   * One vector for each text, in the order of the texts, all of one length, every number finite.
   *
   * `Float32Array` and not `number[]`: models compute in 32 bits or fewer, so nothing is lost; it takes half of the
   * memory; stores for vectors take its bytes as they are; and it cannot hold a null. For JSON: `Array.from(vector)`.
   */
  readonly vectors: readonly Float32Array[];
  /** 0 where the host does not say. */
  readonly usage: { readonly inputTokens: number };
}

/**
 * Turns texts into vectors, on one model. It never gives a made-up vector for a text that could not be embedded:
 * a call ends with a vector for every text, or with a BridleError.
 */
export interface Embedder {
  /** The backend's name, as in a configuration. */
  readonly id: string;
  readonly model: string;
  /** Who pays, as the limiter counts it. Equal for embedders on the same credential; holds no secret. */
  readonly account: string;
  /**
   * No request is made for an empty list.
   *
   * @throws InvalidRequestError for an empty text, by its index; nothing is sent then.
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Embeddings>;
  /** Ends calls in progress with a StoppedError, and refuses later ones. */
  close(): Promise<void>;
}
