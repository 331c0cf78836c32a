/** From options to what requests are sent with. */
import { createRedactor } from "@bridle/core";
import type { RequestFacts } from "../errors/request-error.ts";
import type { ModelApiOptions } from "../settings/options.ts";
import type { Wiring } from "../wiring/index.ts";
import { createTransport, type Fetch } from "./transport.ts";

const defaultIdleTimeoutMs = 120_000;

export function transportOf({ id, idleTimeoutMs = defaultIdleTimeoutMs }: ModelApiOptions, { baseUrl }: Wiring): Fetch {
  return createTransport({ backend: id, baseUrl, idleTimeoutMs });
}

export function factsOf(options: ModelApiOptions, wiring: Wiring, model: string): RequestFacts {
  const { baseUrl, authRemedy } = wiring;
  const knownModels = wiring.knownModels.map((known) => known.id);
  const redact = createRedact(secretsOf(options));
  return { backend: options.id, baseUrl, model, authRemedy, knownModels, redact };
}

/** Takes these credentials, and all that look like one, out of a text. */
export function createRedact(secrets: readonly (string | undefined)[]): RequestFacts["redact"] {
  return createRedactor({ secrets: secrets.filter((secret) => secret !== undefined) }).text;
}

/** What must not be shown, also where a host repeats it. */
function secretsOf(options: ModelApiOptions): string[] {
  const { headers = {}, ...settings } = options;
  const named = [...Object.entries(settings), ...Object.entries(headers)].filter(([name]) => secretName.test(name));
  return named.flatMap(([, value]) => (typeof value === "string" ? [value.trim()] : []));
}

/** Options and headers that hold a credential. */
const secretName = /authorization|key|token|secret|cookie/i;
