/** Logins that a setting must not lead elsewhere, or to somebody else. */
import { ConfigError, type SourcePosition } from "@bridle/protocol";
import type { Provider } from "./config/provider.ts";

interface Ruled {
  readonly provider: Provider;
  readonly namespace?: string;
  readonly positions: Readonly<Record<string, SourcePosition>>;
  readonly absent: Readonly<Record<string, readonly string[]>>;
}

/** A login is only sent to its own provider. An address may hold a password, and is not quoted. */
export function refuseRedirectedLogin({ provider, positions, absent }: Ruled): void {
  if (provider.backend !== "claude-code" || provider.auth !== "session") return;
  const [field, position] = ["llm.provider.baseUrl", positions["llm.provider.baseUrl"]];
  if (provider.baseUrl === undefined && absent[field] === undefined) return;
  throw new ConfigError(
    `${field} cannot stand with auth: session, because a login is only sent to its own provider. Remove it, or set auth: api_key.`,
    { field, ...(position && { position }) },
  );
}

/** What a cloud keeps for the user of this machine is not a namespace's. */
export function refuseMachineLogin({ provider, namespace, positions }: Ruled): void {
  const isLogin = provider.backend === "vertex" && provider.credentials === "application-default";
  if (namespace === undefined || !isLogin) return;
  const field = "llm.provider.credentials";
  const position = positions[field];
  throw new ConfigError(
    `${field}: application-default is the login of this machine, which no namespace uses. Write keyFile or accessToken instead.`,
    { field, ...(position && { position }) },
  );
}
