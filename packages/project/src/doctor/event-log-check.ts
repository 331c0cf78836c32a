import { isBridleError } from "@bridle/protocol";
import { describeEventLog, openUnchangedEventLog } from "../event-log/event-log.ts";
import type { Settings } from "../settings/settings.ts";
import { type Check, failed, passed, skipped } from "./check.ts";

/** Checks that the project's event log can be opened, without changing or creating a file. */
export async function checkEventLog(settings: Settings, isTrusted: boolean): Promise<Check> {
  const identity = { id: "event-log", title: "Event log", area: "configuration" } as const;
  if (!isTrusted) return skipped(identity, "The project is not trusted, so its event log is not opened.");
  try {
    const eventLog = await openUnchangedEventLog(settings);
    await eventLog.close();
    return passed(identity, await describeEventLog(settings));
  } catch (error) {
    if (isBridleError(error)) return failed(identity, error.message, "Until then, runs that are logged fail.");
    throw error;
  }
}
