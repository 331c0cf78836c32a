import { isSecret } from "./connections.ts";
import type { Places } from "./places.ts";
import type { Config } from "./schema.ts";
import type { EnvironmentValue } from "./variables.ts";

/**
 * What stands in the file itself, and not as a reference, and is concealed all the same: credentials, and addresses that
 * hold a password. `shown` is the path, such as `(llm.provider.apiKey)`.
 */
export function typedSecrets({ llm, embeddings }: Config, { written }: Pick<Places, "written">): TypedSecret[] {
  const settings = { "llm.provider": llm.provider, embeddings };
  return Object.entries(settings).flatMap(([holder, values = {}]) =>
    Object.entries(values).flatMap(([key, value]) => {
      const path = `${holder}.${key}`;
      if (typeof value !== "string" || written[path] !== undefined) return [];
      return isSecret(path.split(".")) || hasPassword(value) ? [{ path, value, shown: `(${path})` }] : [];
    }),
  );
}

export interface TypedSecret extends EnvironmentValue {
  readonly path: string;
}

function hasPassword(address: string): boolean {
  return (URL.parse(address)?.password ?? "") !== "";
}
