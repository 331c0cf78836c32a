import type { ProjectContext } from "@bridle/app";
import { withEventLog } from "@bridle/app/events";
import { newestSession } from "@bridle/app/sessions";

interface SessionFlags {
  readonly session?: string | undefined;
  readonly continue?: boolean | undefined;
}

/**
 * Returns the session that the flags name, or the newest one with `--continue`. Undefined without these flags. Throws ConfigError if no
 * session exists.
 */
export async function chooseSession(flags: SessionFlags, context: ProjectContext): Promise<string | undefined> {
  if (flags.session !== undefined || !flags.continue) return flags.session;
  return withEventLog(context, async (eventLog) => newestSession(eventLog));
}
