/** Creates the transport, and the facts about requests, from a backend's options. */
import { createRedactor } from "@bridle/core";
import { isSecretName } from "@bridle/protocol";
import type { RequestFacts } from "../errors/request-error.ts";
import type { ModelApiOptions } from "../settings/options.ts";
import { createTransport, type Fetch } from "../transport/transport.ts";
import type { Wiring } from "../wiring/index.ts";

const defaultIdleTimeoutMs = 120_000;

export function createHostTransport(
  { id, idleTimeoutMs = defaultIdleTimeoutMs }: ModelApiOptions,
  { baseUrl }: Wiring,
): Fetch {
  return createTransport({ backend: id, baseUrl, idleTimeoutMs });
}

export function requestFacts(options: ModelApiOptions, wiring: Wiring, model: string): RequestFacts {
  const { baseUrl, authRemedy } = wiring;
  const knownModels = wiring.knownModels.map((known) => known.id);
  const redact = createRedact(findSecrets(options));
  return { backend: options.id, baseUrl, model, authRemedy, knownModels, redact };
}

/** Returns a function that removes these credentials, and everything that looks like a credential, from a string. */
export function createRedact(secrets: readonly (string | undefined)[]): RequestFacts["redact"] {
  return createRedactor({ secrets: secrets.filter((secret) => secret !== undefined) }).text;
}

/** Returns option values that must not be shown, even if a host repeats them. */
function findSecrets(options: ModelApiOptions): string[] {
  const { headers = {}, ...settings } = options;
  const named = [...Object.entries(settings), ...Object.entries(headers)].filter(([name]) => isSecretName(name));
  return named.flatMap(([, value]) => (typeof value === "string" ? [value.trim()] : []));
}
