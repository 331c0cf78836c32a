/** An error reply according to RFC 9457. */
import { STATUS_CODES } from "node:http";

/** Members of a problem in addition to its detail, such as `holder` or `retryAfterMs`. */
export type ProblemMembers = Readonly<Record<string, unknown>>;

/**
 * A problem to throw in the handler of a route. `code` is stable and becomes the end of the problem's `type`. `detail` contains the reason
 * and the remedy.
 */
export class RequestProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly members: ProblemMembers;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    detail: string,
    members: ProblemMembers = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
    this.name = "Problem";
    this.status = status;
    this.code = code;
    this.members = members;
    this.headers = headers;
  }
}

/** The body of `application/problem+json`. */
export interface ProblemDocument extends ProblemMembers {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  /** The path of the request. */
  readonly instance: string;
}

/** The prefix of every `type`. It identifies a kind of problem; the URL need not exist. */
const problemTypes = "https://github.com/bridle-agents/bridle/problems/";

export function describeProblem({ status, code, message, members }: RequestProblem, instance: string): ProblemDocument {
  const title = STATUS_CODES[status] ?? "Error";
  return { ...members, type: `${problemTypes}${code}`, title, status, detail: message, code, instance };
}
