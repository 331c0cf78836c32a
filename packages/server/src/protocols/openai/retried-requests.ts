import { randomUUID } from "node:crypto";
import type { RequestKey } from "@bridle/app/serving";
import { hashRequest, readKey } from "../../api/request-key.ts";
import type { RouteRequest } from "../../http/route.ts";

const maxKept = 1000;

/**
 * Detects repeated requests of OpenAI clients, which repeat a request that got no reply. They send no key, but a header with the number of
 * the attempt. Later attempts get the run of the first attempt. If the client sends its own key, that key takes precedence.
 */
export class RetriedRequests {
  /** The keys of the newest first attempts, by caller and request hash. */
  readonly #keys = new Map<string, RequestKey>();

  keyOf({ headers, caller, names, body }: RouteRequest<unknown, object>): RequestKey | undefined {
    const request = { names, body };
    const own = readKey(headers, caller, request);
    const attempt = headers.get("x-stainless-retry-count");
    if (own !== undefined || attempt === null) return own;
    const bodyHash = hashRequest(request);
    const asked = `${caller.name} ${bodyHash}`;
    const key = attempt === "0" ? undefined : this.#keys.get(asked);
    return key ?? this.#add(asked, { value: `openai ${randomUUID()}`, bodyHash });
  }

  /** Forgets a request that has its reply, so that the same request starts a new run. */
  forget(key: RequestKey | undefined): void {
    for (const [asked, kept] of this.#keys) if (kept === key) this.#keys.delete(asked);
  }

  #add(asked: string, key: RequestKey): RequestKey {
    this.#keys.delete(asked);
    this.#keys.set(asked, key);
    const [oldest] = this.#keys.keys();
    if (this.#keys.size > maxKept && oldest !== undefined) this.#keys.delete(oldest);
    return key;
  }
}
