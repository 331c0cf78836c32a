/** The address that a request goes to, in the terms of its errors. */
export interface Address {
  backend: string;
  baseUrl: string;
  /** The part of `bridle.yaml` that holds the settings. Default `llm.provider`. */
  section?: string | undefined;
}

export interface TransportOptions extends Address {
  /** Milliseconds without a byte until a request is aborted, counted from the request and from each chunk. */
  idleTimeoutMs: number;
}
