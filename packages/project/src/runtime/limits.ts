/** Reads the stored limits of an account. */
import { type LimitState, readLimitState } from "@bridle/core";
import { createBackend } from "../hosts/connect.ts";
import { findMissingHostSettings } from "../hosts/requirements.ts";
import type { Settings } from "../settings/settings.ts";
import { limitsFolder } from "./system-folders.ts";

/** The used-up usage window of the account, if a run has stored one. Sends no request. */
export async function usedUpWindow(settings: Settings): Promise<LimitState | undefined> {
  const folder = limitsFolder(settings);
  if (folder === undefined || findMissingHostSettings(settings).length > 0) return undefined;
  const backend = await createBackend(settings);
  const found = readLimitState(folder, backend.account);
  await backend.close();
  return found;
}
