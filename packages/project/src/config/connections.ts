/** Which settings say how a host is reached, and which of those are credentials; by their path in `bridle.yaml`. */

type Path = readonly PropertyKey[];

/** Keys whose values are credentials, and never shown. */
const secretKeys: readonly PropertyKey[] = ["apiKey", "accessToken", "accessKeyId", "secretAccessKey", "sessionToken"];

/** Keys beside them that say something else. */
const otherKeys: readonly PropertyKey[] = ["backend", "auth", "model", "dimensions", "batchSize", "pool"];

/** Whether the value at this path is a credential. */
export function isSecret(path: Path): boolean {
  return secretKeys.includes(path.at(-1) ?? "") && isConnection(path);
}

/**
 * Whether the value at this path says how a host is reached. Where its variable is not set, only what asks that host
 * fails: a status, a rehearsal and a run on another backend do without.
 */
export function isConnection(path: Path): boolean {
  const [holder, key] = [path.slice(0, -1).join("."), path.at(-1) ?? ""];
  return (holder === "llm.provider" || holder === "embeddings") && !otherKeys.includes(key);
}
