/** Which settings of an agent's file are credentials, and which may wait until a host is asked; by path. */

type Path = readonly PropertyKey[];

const secretKeys: readonly PropertyKey[] = [
  ...["api_key", "access_token", "access_key_id", "secret_access_key", "session_token", "connection_string"],
];

/** Keys of a model that say how its host is reached. */
const connectionKeys: readonly PropertyKey[] = [
  ...secretKeys,
  ...["endpoint", "organization", "project", "location", "key_file", "region", "api_version"],
];

/** Mappings whose values are given to a server, and may be credentials. */
const openMappings: readonly PropertyKey[] = ["env", "headers"];

/** Names of headers and variables that hold a credential. */
const secretName = /auth|key|token|secret|cookie|signature|password/i;

/** Whether the value at this path is a credential. */
export function isCredential(path: Path): boolean {
  const name = path.at(-1) ?? "";
  return secretKeys.includes(name) || (openMappings.includes(path.at(-2) ?? "") && secretName.test(String(name)));
}

/** Whether the value at this path is never shown. */
export function isSecret(path: Path): boolean {
  return secretKeys.includes(path.at(-1) ?? "") || openMappings.includes(path.at(-2) ?? "");
}

export function isConnection(path: Path): boolean {
  const holder = path.at(-2);
  return (holder === "model" || holder === "embedding_provider") && connectionKeys.includes(path.at(-1) ?? "");
}
