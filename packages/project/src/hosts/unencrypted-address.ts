import { type Backend, type HostConfig, override } from "@bridle/protocol";
import { isUnencrypted } from "../trust/effect-values.ts";

/**
 * A backend that begins each conversation with a warning if its base URL sends requests over a network without encryption.
 * Whoever trusted the address long ago is reminded by each run.
 */
export function withAddressWarning(backend: Backend, provider: HostConfig): Backend {
  const address: unknown = Reflect.get(provider, "baseUrl");
  if (typeof address !== "string" || !isUnencrypted(address)) return backend;
  const message = `Requests and their credentials are sent to ${URL.parse(address)?.host} without encryption. Use a base URL with https.`;
  return override(backend, {
    async open(spec, signal) {
      const conversation = await backend.open(spec, signal);
      let isFirst = true;
      return override(conversation, {
        turn(input, context) {
          if (isFirst) context.emit({ type: "notice", level: "warning", code: "unencrypted-address", message });
          isFirst = false;
          return conversation.turn(input, context);
        },
      });
    },
  });
}
