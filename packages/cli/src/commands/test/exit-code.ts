import { type TestRun } from "@bridle/testing";
import { type Interrupt } from "../../command-line/cli.ts";
import { exitCodes } from "../../command-line/exit-codes.ts";

/** What `bridle test` ends with. What a host did wrong counts where no test failed, or where it ended them all. */
export function exitCodeOfTests({ stop, summary }: Pick<TestRun, "stop" | "summary">, interrupt?: Interrupt): number {
  if (stop?.reason === "interrupted") return interrupt ? exitCodes[interrupt] : exitCodes.otherwise;
  if (stop?.reason === "authentication") return exitCodes.authentication;
  if (stop?.reason === "usage-limit" || stop?.reason === "backend") return exitCodes.backend;
  if (summary.failed > 0) return exitCodes.otherwise;
  if (summary.errored > 0) return exitCodes.backend;
  return summary.notRun > 0 ? exitCodes.otherwise : exitCodes.natural;
}
