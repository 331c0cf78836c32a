/** What the checks that ask a host have in common. */
import { isBridleError } from "@bridle/protocol";
import { findCredentials } from "../hosts/credentials.ts";
import type { Settings } from "../settings/settings.ts";
import type { Check } from "./check.ts";

/** Why the host is not asked: what is missing is among the credentials, with its remedy, and not twice. */
export function reasonNotToAsk(settings: Settings, holder: "llm" | "embeddings"): string | undefined {
  const isMissing = findCredentials(settings).missing.some(({ field }) => field.startsWith(`${holder}.`));
  return isMissing ? "not asked, because a setting that it needs is missing" : undefined;
}

export const interrupted = "interrupted before it was checked";

/** What an error of a host is about. */
export function areaOf(error: unknown): Check["area"] {
  if (!isBridleError(error)) return "backend";
  if (error.code === "config" || error.code === "model_not_found") return "configuration";
  return error.code === "authentication" ? "authentication" : "backend";
}
