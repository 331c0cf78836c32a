/** Determines, by path, which values in an agent file are credentials, and which are needed only when a host is called. */
import { isSecretName, type ToolKind } from "@bridle/protocol";

type Path = readonly PropertyKey[];

const secretKeys: readonly PropertyKey[] = [
  "api_key",
  "access_token",
  "access_key_id",
  "secret_access_key",
  "session_token",
];

/** Mappings with values that may be credentials, in every part of the file. */
const secretMappings: readonly PropertyKey[] = ["headers"];

/** Keys of a model that determine how its host is reached. */
const connectionKeys: readonly PropertyKey[] = [
  ...secretKeys,
  "endpoint",
  "organization",
  "project",
  "location",
  "key_file",
  "region",
  "api_version",
];

export interface SensitiveFields {
  /** Whether the value at this path is a credential. */
  isCredential(path: Path): boolean;
  /** Whether the value at this path is never shown. */
  isSecret(path: Path): boolean;
  /** Whether the value at this path is only needed to reach a host. */
  isConnection(path: Path): boolean;
}

/** Returns the sensitive fields of a file with tools of these kinds. */
export function sensitiveFields(kinds: readonly ToolKind[]): SensitiveFields {
  const toolKeys = kinds.flatMap(({ secrets }) => secrets?.keys ?? []);
  const toolMappings = kinds.flatMap(({ secrets }) => secrets?.mappings ?? []);
  const isIn = (path: Path, key: PropertyKey = "", common: readonly PropertyKey[], ofTools: readonly string[]) =>
    common.includes(key) || (path[0] === "tools" && ofTools.includes(String(key)));
  const isSecretKey = (path: Path) => isIn(path, path.at(-1), secretKeys, toolKeys);
  const isInMapping = (path: Path) => isIn(path, path.at(-2), secretMappings, toolMappings);
  return {
    isCredential: (path) => isSecretKey(path) || (isInMapping(path) && isSecretName(String(path.at(-1)))),
    isSecret: (path) => isSecretKey(path) || isInMapping(path),
    isConnection(path) {
      const holder = path.at(-2);
      return (
        (holder === "model" || holder === "context_model" || holder === "embedding_provider") &&
        connectionKeys.includes(path.at(-1) ?? "")
      );
    },
  };
}
