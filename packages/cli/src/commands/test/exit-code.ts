import type { TestRun } from "@bridle/app/tests";
import type { Interrupt } from "../../command/cli.ts";
import { exitCodes } from "../../command/exit-codes.ts";

/** Returns the exit code of `bridle test`. A host error only matters if no test failed, or if the error ended the tests. */
export function exitCodeOfTests({ stop, summary }: Pick<TestRun, "stop" | "summary">, interrupt?: Interrupt): number {
  if (stop?.reason === "interrupted") return interrupt ? exitCodes[interrupt] : exitCodes.otherwise;
  if (stop?.reason === "authentication") return exitCodes.authentication;
  if (stop?.reason === "usage-limit" || stop?.reason === "backend") return exitCodes.backend;
  if (summary.failed > 0) return exitCodes.otherwise;
  if (summary.errored > 0) return exitCodes.backend;
  return summary.notRun > 0 ? exitCodes.otherwise : exitCodes.natural;
}
