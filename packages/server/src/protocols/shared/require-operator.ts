import { RequestProblem } from "../../http/problem.ts";
import type { RequestSender } from "../../http/route.ts";

/** Requires an operator, for routes that also have read-only methods. @throws RequestProblem if the token may only read. */
export function requireOperator({ name, role }: RequestSender): void {
  if (role === "operator") return;
  throw new RequestProblem(403, "operator-only", `The token ${name} may only read. Use one with the role operator.`);
}
