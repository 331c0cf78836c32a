import { explainFault } from "@bridle/app/modules";
import type { Cli } from "../../command/cli.ts";

/** Explains an error that a tool threw outside of its call, without credentials. */
export async function describeFault(error: unknown, cli: Cli): Promise<string> {
  const { createRedactor } = await import("@bridle/app/redaction");
  return createRedactor({ environment: cli.environment }).text(explainFault(error, cli));
}
