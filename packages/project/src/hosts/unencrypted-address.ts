import { type Backend, type EmbedderConfig, type HostConfig, type Logger, override } from "@bridle/protocol";
import { unencryptedHost } from "../effects/effect-values.ts";

/**
 * Wraps a backend so that each conversation begins with a warning if its requests cross a network without encryption. So each run reminds
 * users who trusted the address long ago.
 */
export function withAddressWarning(backend: Backend, provider: HostConfig): Backend {
  const message = addressWarning("Requests", provider);
  if (message === undefined) return backend;
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

/** Logs a warning if the base URL of embeddings sends texts over a network without encryption. */
export function warnAboutEmbeddings(embeddings: EmbedderConfig, logger: Logger): void {
  const message = addressWarning("Texts for embeddings", embeddings);
  if (message !== undefined) logger.warn({ code: "unencrypted-address" }, message);
}

function addressWarning(what: string, settings: object): string | undefined {
  const address: unknown = Reflect.get(settings, "baseUrl");
  const host = typeof address === "string" ? unencryptedHost(address) : undefined;
  if (host === undefined) return undefined;
  return `${what} and their credentials are sent to ${host} without encryption. Use a base URL with https.`;
}
