import { isCredential, isSecret } from "./connections.ts";
import type { Config } from "./schema.ts";
import type { SettingSources } from "./setting-sources.ts";
import type { EnvironmentValue } from "./variables.ts";

/**
 * Values that the file itself contains instead of a reference, and that are redacted too: credentials, headers, and
 * addresses with a password. `shown` is the path, such as `(llm.provider.apiKey)`.
 */
export function typedSecrets({ llm, embeddings }: Config, { written }: Pick<SettingSources, "written">): TypedSecret[] {
  const { headers, ...provider } = { headers: undefined, ...llm.provider };
  const settings = { "llm.provider": provider, "llm.provider.headers": headers, embeddings };
  return Object.entries(settings).flatMap(([holder, values = {}]) =>
    Object.entries(values).flatMap(([key, value]) => {
      const path = `${holder}.${key}`;
      if (typeof value !== "string" || written[path] !== undefined) return [];
      const isOpen = isCredential(path.split(".")) || hasPassword(value);
      return isOpen || isSecret(path.split(".")) ? [{ path, value, shown: `(${path})`, isOpen }] : [];
    }),
  );
}

export interface TypedSecret extends EnvironmentValue {
  readonly path: string;
  /** Whether it is certainly a credential, which should not be in the file. A header may be something else. */
  readonly isOpen: boolean;
}

function hasPassword(address: string): boolean {
  return (URL.parse(address)?.password ?? "") !== "";
}
