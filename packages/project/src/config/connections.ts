/** Which settings say how a host is reached, and which of those are credentials; by their path in `bridle.yaml`. */
import { isSecretName } from "@bridle/protocol";
import { allEmbedders } from "../embeddings/embedder-registry.ts";
import { allHosts } from "../hosts/host-registry.ts";

type Path = readonly PropertyKey[];

const forms = [...allHosts(), ...allEmbedders()].map(({ settings }) => settings);

/** Keys whose values are credentials, and never shown. */
const secretKeys: readonly PropertyKey[] = forms.flatMap(({ secretKeys = [] }) => secretKeys);

/** Keys beside them that do not say how a host is reached. */
const otherKeys: readonly PropertyKey[] = ["backend", ...forms.flatMap(({ plainKeys = [] }) => plainKeys)];

/** Whether the value at this path is a credential. */
export function isCredential(path: Path): boolean {
  return (secretKeys.includes(path.at(-1) ?? "") && isSetting(path)) || (isHeader(path) && isSecretName(nameOf(path)));
}

/** Whether the value at this path is never shown: a credential, or a header, which may hold one. */
export function isSecret(path: Path): boolean {
  return isCredential(path) || isHeader(path);
}

/**
 * Whether the value at this path says how a host is reached. If its variable is not set, only the work that asks that host
 * fails: a status, a rehearsal and a run on another backend do without.
 */
export function isConnection(path: Path): boolean {
  return isHeader(path) || (isSetting(path) && !otherKeys.includes(path.at(-1) ?? ""));
}

function isSetting(path: Path): boolean {
  return ["llm.provider", "embeddings"].includes(path.slice(0, -1).join("."));
}

function isHeader(path: Path): boolean {
  return path.slice(0, -1).join(".") === "llm.provider.headers";
}

function nameOf(path: Path): string {
  return String(path.at(-1));
}
