/** How the account is used, and what its host last said of a used-up window. */
import { type LimitState, readLimitState } from "@bridle/core";
import { createBackend } from "../hosts/connect.ts";
import { missingOfProvider } from "../hosts/requirements.ts";
import type { Settings } from "../settings/settings.ts";
import { limitsFolder } from "./system-folders.ts";

/** The window that the account has used up, as far as is on record here; nothing is asked. */
export async function usedUpWindow(settings: Settings): Promise<LimitState | undefined> {
  const folder = limitsFolder(settings);
  if (folder === undefined || missingOfProvider(settings).length > 0) return undefined;
  const backend = await createBackend(settings);
  const found = readLimitState(folder, backend.account);
  await backend.close();
  return found;
}
