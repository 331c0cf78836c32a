import type { Redactor } from "@bridle/core";
import {
  type BackendFeatures,
  defaultPromptCaching,
  type Host,
  type HostDescription,
  isBridleError,
  type PromptCaching,
} from "@bridle/protocol";
import { limitDefaults } from "../config/schema.ts";
import { describeEventLog, settingsRedactor } from "../event-log/event-log.ts";
import { readFeatures } from "../hosts/connect.ts";
import { findCredentials, findMissingLogin, type NamedCredential } from "../hosts/credentials.ts";
import { usedUpWindow } from "../limits/limits.ts";
import { hostOf, loadHost } from "../registries/host-registry.ts";
import type { Settings } from "../settings/settings.ts";
import { listConnections } from "../warehouses/list-connections.ts";
import { describeModels } from "./describe-models.ts";
import { describePolicy } from "./describe-policy.ts";
import type { Status } from "./status-schema.ts";

/** Describes the configuration and the settings of runs. Calls no model and starts no process, so it costs nothing and works offline. */
export async function collectStatus(settings: Settings, trust: Status["trust"]): Promise<Status> {
  const { provider } = settings;
  const features = await readFeatures(settings);
  const host = await loadHost(provider);
  const { auth } = hostOf(provider.backend);
  return {
    projectDir: settings.projectDir,
    configFile: settings.configFile ?? null,
    environmentFile: null, // only the command line reads an environment file
    namespace: settings.namespace ?? null,
    backend: provider.backend,
    auth: auth?.modeOf(provider) ?? null,
    authentication: (await findMissingLogin(settings)) === undefined ? "not checked" : "no login",
    credentials: describeCredentials(settings),
    baseUrl: shownBaseUrl("llm.provider", provider, settings),
    gitHubHost: shownText("llm.provider", "gitHubHost", provider, settings),
    models: describeModels(settings),
    embeddings: describeEmbeddings(settings),
    limits: await describeLimits(settings, trust.isTrusted),
    eventLog: await describeEventLog(settings),
    connections: listConnections(settings).map(({ isLocal: _isLocal, ...each }) => ({
      ...each,
      missing: [...each.missing],
    })),
    pool: shownPool(host.describe?.(provider)?.pool),
    policy: describePolicy(settings),
    host: readVersions(host),
    node: process.versions.node,
    promptCaching: { ignored: ignoredCaching(settings.promptCaching, features) },
    trust: withoutCredentials(trust, settingsRedactor(settings)),
    degraded: [...features.degraded],
  };
}

/** Lists the fields of `promptCaching` that differ from their default and that the backend ignores. */
export function ignoredCaching(set: Partial<PromptCaching>, { promptCaching }: BackendFeatures): string[] {
  const wanted = { ...defaultPromptCaching, ...set };
  return objectKeys(wanted).filter((key) => wanted[key] !== defaultPromptCaching[key] && !promptCaching.includes(key));
}

function describeCredentials(settings: Settings): Status["credentials"] {
  const { present, missing, unused, typed } = findCredentials(settings);
  const named = ({ field, variables }: NamedCredential) => ({ field, variables: [...variables] });
  return { present: present.map(named), missing: missing.map(named), unused: [...unused], typed: [...typed] };
}

function describeEmbeddings(settings: Settings): Status["embeddings"] {
  const { embeddings, written } = settings;
  const model = written["embeddings.model"] ?? embeddings.model ?? null;
  return { backend: embeddings.backend, model, baseUrl: shownBaseUrl("embeddings", embeddings, settings) };
}

async function describeLimits(settings: Settings, isTrusted: boolean): Promise<Status["limits"]> {
  const {
    onUsageLimit = null,
    maxWaitMs,
    maxConcurrency,
  } = { ...limitDefaults, onUsageLimit: undefined, ...settings.limits };
  const found = isTrusted ? await usedUpWindow(settings).catch(withoutEventLog) : undefined;
  const usedUp = found ? { window: found.window, resetsAt: new Date(found.resetsAt).toISOString() } : null;
  return { onUsageLimit, maxWaitMs, maxConcurrency, usedUp };
}

/** Returns undefined if the event log cannot be read. `bridle doctor` reports that with its remedy. */
function withoutEventLog(error: unknown): undefined {
  if (!isBridleError(error)) throw error;
}

function readVersions(host: Host): Status["host"] {
  try {
    return host.versions?.() ?? null;
  } catch {
    return null; // `bridle doctor` reports the problem with its remedy
  }
}

/** Returns the reference in the file, else the value. */
function shownText(holder: string, key: string, values: object, { written }: Settings): string | null {
  const value: unknown = Reflect.get(values, key);
  return written[`${holder}.${key}`] ?? (typeof value === "string" ? value : null);
}

/** Returns the reference in the file, else the address without a password. */
function shownBaseUrl(holder: string, values: object, settings: Settings): string | null {
  const baseUrl = shownText(holder, "baseUrl", values, settings);
  if (baseUrl === null || settings.written[`${holder}.baseUrl`] !== undefined) return baseUrl;
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname === "/" ? "" : pathname}`;
}

function objectKeys<T extends object>(object: T): (keyof T)[] {
  return Object.keys(object) as (keyof T)[];
}

function shownPool(pool: HostDescription["pool"] | undefined): Status["pool"] {
  if (pool === undefined || pool === false) return pool ?? null;
  return Object.fromEntries(
    Object.entries(pool).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

/**
 * Redacts credentials, because users share this output. A credential that a file contains is shown only while the user decides whether to
 * trust it.
 */
function withoutCredentials({ isTrusted, effects }: Status["trust"], redactor: Redactor): Status["trust"] {
  return { isTrusted, effects: effects.map((effect) => ({ ...effect, subject: redactor.text(effect.subject) })) };
}
