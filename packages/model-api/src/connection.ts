/** From options to what requests are sent with. */
import type { ModelApiOptions } from "./options.ts";
import { createTransport, type Fetch } from "./transport.ts";
import type { RequestFacts } from "./verdict.ts";
import type { Wiring } from "./wiring/index.ts";

const defaultIdleTimeoutMs = 120_000;

export function transportOf({ id, idleTimeoutMs = defaultIdleTimeoutMs }: ModelApiOptions, { baseUrl }: Wiring): Fetch {
  return createTransport({ backend: id, baseUrl, idleTimeoutMs });
}

export function factsOf({ id }: ModelApiOptions, wiring: Wiring, model: string): RequestFacts {
  const { baseUrl, authRemedy, knownModels } = wiring;
  return { backend: id, baseUrl, model, authRemedy, knownModels: knownModels.map((known) => known.id) };
}
