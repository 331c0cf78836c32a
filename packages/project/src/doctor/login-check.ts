import type { Backend } from "@bridle/protocol";
import { createBackend } from "../backends.ts";
import { loginAdvice } from "../namespace/in-namespace.ts";
import { prepareNamespace } from "../namespace/prepare-namespace.ts";
import type { Settings } from "../settings/settings.ts";
import { type Check, failed, passed, skipped } from "./check.ts";
import { areaOf, interrupted, reasonNotToAsk } from "./live-check.ts";

/** Asks the host with a real request, only when it was asked for. */
export async function checkLogin(settings: Settings, live: boolean, signal?: AbortSignal): Promise<Check> {
  const identity = { id: "login", title: "Login", area: "authentication" } as const;
  if (!live) return skipped(identity, "not checked; --live asks the host, with one short request");
  if (settings.provider.backend === "none") return skipped(identity, "The project has no backend.");
  const reason = reasonNotToAsk(settings, "llm");
  if (reason !== undefined) return skipped(identity, reason);
  let backend: Backend | undefined;
  try {
    await prepareNamespace(settings);
    backend = await createBackend(settings);
    const { ok, detail } = await backend.checkAuth(signal);
    if (signal?.aborted) return skipped(identity, interrupted);
    return ok ? passed(identity, detail) : failed(identity, detail, remedyFor(settings));
  } catch (error) {
    if (signal?.aborted) return skipped(identity, interrupted);
    const area = areaOf(error);
    const detail = error instanceof Error ? error.message : String(error);
    const remedy = area === "backend" ? "Check the network and try again." : remedyFor(settings, area);
    return failed({ ...identity, area }, detail, remedy);
  } finally {
    await backend?.close();
  }
}

function remedyFor(settings: Settings, area: Check["area"] = "authentication"): string {
  const { provider } = settings;
  if (provider.backend !== "claude-code" || area === "configuration")
    return "Correct what stands under llm.provider in bridle.yaml, or in the environment.";
  if (provider.auth === "session") return `${loginAdvice(settings) ?? 'Run "claude" once and log in'}.`;
  return "Correct the credentials in the environment, or choose another auth mode in bridle.yaml.";
}
