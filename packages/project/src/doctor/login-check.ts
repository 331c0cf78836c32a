import type { Backend } from "@bridle/protocol";
import { createBackend } from "../hosts/connect.ts";
import { findMissingLogin } from "../hosts/credentials.ts";
import { namespaceLoginAdvice } from "../namespace/in-namespace.ts";
import { prepareNamespace } from "../namespace/prepare-namespace.ts";
import { hostOf } from "../registries/host-registry.ts";
import type { Settings } from "../settings/settings.ts";
import { type Check, failed, passed, skipped } from "./check.ts";
import { areaOf, interrupted, reasonNotToAsk } from "./live-check.ts";

/** Checks the login. With `--live`, it sends the host a real request; otherwise, it fails only if there is no login. */
export async function checkLogin(settings: Settings, live: boolean, signal?: AbortSignal): Promise<Check> {
  const identity = { id: "login", title: "Login", area: "authentication" } as const;
  if (hostOf(settings.provider.backend).hasModels === false) return skipped(identity, "The project has no backend.");
  if (!live) {
    const missing = await findMissingLogin(settings);
    if (missing !== undefined) return failed(identity, missing, remedyFor(settings));
    return skipped(identity, "not checked; --live sends the host one short request");
  }
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
  const host = hostOf(provider.backend);
  if (host.auth === undefined || area === "configuration")
    return "Correct llm.provider in bridle.yaml, or its variables in the environment.";
  const advice = namespaceLoginAdvice(settings) ?? capitalize(host.loginAdvice?.(provider));
  return advice
    ? `${advice}.`
    : "Correct the credentials in the environment, or choose another auth mode in bridle.yaml.";
}

function capitalize(clause: string | undefined): string | undefined {
  return clause && `${clause.charAt(0).toUpperCase()}${clause.slice(1)}`;
}
