import type { ProjectLocation } from "@bridle/app";
import { withEventLog } from "@bridle/app/events";
import { newestSession } from "@bridle/app/sessions";
import type { Cli } from "../../command-line/cli.ts";

interface SessionFlags extends ProjectLocation {
  readonly session?: string | undefined;
  readonly continue?: boolean | undefined;
}

/** The session that the flags name, the newest one, or none. Throws ConfigError if there is no newest session. */
export async function chooseSession(flags: SessionFlags, cli: Cli): Promise<string | undefined> {
  if (flags.session !== undefined || !flags.continue) return flags.session;
  return withEventLog(flags, cli, async (eventLog) => newestSession(eventLog));
}
