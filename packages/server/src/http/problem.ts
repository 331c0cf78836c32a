/** A refusal of a request, as RFC 9457 has it. */

/** Members of a problem beside its detail, such as `holder` or `retryAfterMs`. */
export type ProblemMembers = Readonly<Record<string, unknown>>;

/** Throw it in the handler of a route. `code` is stable, and the end of the problem's `type`. `detail` says reason and remedy. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly members: ProblemMembers;

  constructor(status: number, code: string, detail: string, members: ProblemMembers = {}) {
    super(detail);
    this.name = "Problem";
    this.status = status;
    this.code = code;
    this.members = members;
  }
}
