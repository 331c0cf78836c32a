import { isCredential, isSecret } from "./connections.ts";
import type { Places } from "./find-positions.ts";
import type { Config } from "./schema.ts";
import type { EnvironmentValue } from "./variables.ts";

/**
 * Values that are written in the file itself, not as references, and are redacted all the same: credentials, headers, and
 * addresses that hold a password. `shown` is the path, such as `(llm.provider.apiKey)`.
 */
export function typedSecrets({ llm, embeddings }: Config, { written }: Pick<Places, "written">): TypedSecret[] {
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
  /** It should not be in the file: a header may be no credential. */
  readonly isOpen: boolean;
}

function hasPassword(address: string): boolean {
  return (URL.parse(address)?.password ?? "") !== "";
}
