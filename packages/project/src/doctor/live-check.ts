/** Functions for the checks that send a request to a host. */
import { isBridleError } from "@bridle/protocol";
import { findCredentials } from "../hosts/credentials.ts";
import type { Settings } from "../settings/settings.ts";
import type { Check } from "./check.ts";

/** Explains why no request is sent to the host. The credentials check reports a missing setting with its remedy. */
export function reasonNotToAsk(settings: Settings, holder: "llm" | "embeddings"): string | undefined {
  const isMissing = findCredentials(settings).missing.some(({ field }) => field.startsWith(`${holder}.`));
  return isMissing ? "not asked, because a setting that it needs is missing" : undefined;
}

export const interrupted = "interrupted before it was checked";

/** Returns the area that an error reported by a host belongs to. */
export function areaOf(error: unknown): Check["area"] {
  if (!isBridleError(error)) return "backend";
  if (error.code === "config" || error.code === "model_not_found") return "configuration";
  return error.code === "authentication" ? "authentication" : "backend";
}
