import { type Cli } from "../../command-line/cli.ts";
import { withRecord } from "@bridle/app/events";
import { newestSession } from "@bridle/app/sessions";

interface Wanted {
  readonly session?: string | undefined;
  readonly goOn?: boolean | undefined;
}

/** The session that was named, the newest one, or none. Throws ConfigError where the newest is wanted and there is none. */
export async function chooseSession(
  { session, goOn = false, ...where }: Wanted & Parameters<typeof withRecord>[0],
  cli: Cli,
): Promise<{ sessionId?: string }> {
  if (session !== undefined) return { sessionId: session };
  return goOn ? { sessionId: await withRecord(where, cli, async (record) => newestSession(record)) } : {};
}
