/** Reads the limits of a project's account that the project's processes have stored. */
import { readUsedUpWindow } from "@bridle/core";
import type { LimitState } from "@bridle/protocol";
import { openUnchangedEventLog } from "../event-log/event-log.ts";
import { createBackend } from "../hosts/connect.ts";
import { findMissingHostSettings } from "../hosts/requirements.ts";
import type { Settings } from "../settings/settings.ts";

/**
 * Finds the account's used-up usage window, if a run has stored one in the project's event log. Sends no request to a host. Throws
 * StoreError, and ConfigError if the settings of the event log are incomplete. Needs trust, because it reads state.
 */
export async function usedUpWindow(settings: Settings): Promise<LimitState | undefined> {
  if (findMissingHostSettings(settings).length > 0) return undefined;
  const backend = await createBackend(settings);
  try {
    const eventLog = await openUnchangedEventLog(settings);
    try {
      return await readUsedUpWindow(eventLog.limits, backend.account);
    } finally {
      await eventLog.close();
    }
  } finally {
    await backend.close();
  }
}
