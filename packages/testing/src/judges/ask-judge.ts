import { isBridleError, type Judge, type ObjectRequest } from "@bridle/protocol";
import { type JudgeExpenses, judgeRole } from "./expenses.ts";
import type { JudgeHost } from "./judge-host.ts";
import type { JudgementAccount } from "./judgement-account.ts";

/** The time limit of a judge's answer. */
const timeoutMs = 180_000;

export interface AskedJudge extends Required<Pick<ObjectRequest<unknown>, "labels" | "signal">> {
  readonly host: JudgeHost;
  /** Collects the usage of each call, including failed ones. */
  readonly account: JudgementAccount;
  readonly expenses: JudgeExpenses;
}

/** Creates a judge that asks its questions as runs on the host. Rejects with a BridleError. */
export function askJudge({ host, account, expenses, labels, signal }: AskedJudge): Judge {
  return async ({ system, prompt, schema }) => {
    const runtime = await host.runtime();
    const { backend } = runtime;
    const request = { ...host.request, role: judgeRole, system, prompt, schema, labels, signal, timeoutMs };
    try {
      const { object, ...used } = await runtime.generateObject(request);
      host.hasAnswered = true;
      account.add({ backend, ...used });
      return object;
    } catch (error) {
      const runId = isBridleError(error) ? error.runId : undefined;
      if (runId !== undefined) account.add({ backend, runId, ...expenses.take(runId) });
      throw error;
    }
  };
}
