/** A request that the server refused, with the fields of its problem document. */
export class BridleRequestError extends Error {
  /** The HTTP status. */
  readonly status: number;
  /** The error code, such as `no-such-session` or `approval-settled`. Codes do not change between versions. */
  readonly code: string;
  /** All fields of the problem document, such as `errors`, `holder` or `retryAfterMs`. */
  readonly problem: Readonly<Record<string, unknown>>;

  constructor(status: number, problem: Readonly<Record<string, unknown>>) {
    super(typeof problem.detail === "string" ? problem.detail : `The server answered with the status ${status}.`);
    this.name = "BridleRequestError";
    this.status = status;
    this.code = typeof problem.code === "string" ? problem.code : "unknown";
    this.problem = problem;
  }
}

/** Reads the problem document of a response that is not ok. */
export async function readRefusal(response: Response): Promise<BridleRequestError> {
  const content: unknown = await response.json().catch(() => undefined);
  const isProblem = typeof content === "object" && content !== null;
  return new BridleRequestError(response.status, isProblem ? { ...content } : {});
}
