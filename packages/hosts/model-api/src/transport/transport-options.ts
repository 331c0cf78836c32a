/** The address that a request is sent to, as errors describe it. */
export interface Address {
  backend: string;
  baseUrl: string;
  /** The section of `bridle.yaml` that contains the settings. Default: `llm.provider`. */
  section?: string | undefined;
}

export interface TransportOptions extends Address {
  /** Milliseconds without a byte after which a request is aborted, counted from the request and from each chunk. */
  idleTimeoutMs: number;
}
