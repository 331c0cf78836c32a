import { machineVariables } from "@bridle/host-shared";
import { ConfigError, type HostEnvironment } from "@bridle/protocol";
import type { ResolvedCodexOptions } from "../options.ts";
import { userKeyVariable } from "./user-key.ts";

/**
 * The variable that carries the key to the process. The host's own shell tool would pass the variable on (observed on 0.169.0), so the
 * shell tool stays closed.
 */
export const keyVariable = "BRIDLE_CODEX_API_KEY";

/**
 * Variables that change who pays, where requests are sent or which code the process loads. The process never gets such a variable, even if
 * a caller adds it by name. `CODEX_ACCESS_TOKEN` overrides a stored login (observed on 0.169.0).
 */
const deniedPrefixes: readonly string[] = [
  "CODEX_",
  "OPENAI_",
  "CHATGPT_",
  "AZURE_",
  "AWS_",
  "LD_",
  "DYLD_",
  "RUST_LOG",
];

function isDeniedForCodex(name: string): boolean {
  const upper = name.toUpperCase();
  const mayPass = upper === "CODEX_CA_CERTIFICATE"; // this variable only adds trusted certificates
  return !mayPass && deniedPrefixes.some((prefix) => upper.startsWith(prefix));
}

/** Returns the variables of the machine, those of the caller, and the key. The process's folders are added later. */
export function codexEnvironment(
  { auth, environment, extraEnvironment = {} }: ResolvedCodexOptions,
  forTools: Readonly<Record<string, string>> = {},
): Record<string, string> {
  refuseDenied(extraEnvironment, "extraEnvironment", "It changes who pays or the address of requests.");
  const { CODEX_CA_CERTIFICATE: authority } = environment;
  return {
    ...machineVariables(environment),
    ...(authority ? { CODEX_CA_CERTIFICATE: authority } : {}),
    ...present(extraEnvironment),
    ...forTools,
    ...(auth === "api_key" ? { [keyVariable]: requireKey(environment) } : {}),
  };
}

/** Throws ConfigError if a variable for tools is one that the host itself would read. */
export function refuseReservedForCodex(forTools: Readonly<Record<string, string>> = {}): void {
  const own = [
    "HOME",
    "USERPROFILE",
    "TMPDIR",
    "PATH",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "SSL_CERT_FILE",
  ];
  const name = Object.keys(forTools).find((key) => isDeniedForCodex(key) || own.includes(key.toUpperCase()));
  if (name === undefined) return;
  throw new ConfigError(
    `The variable ${name} must not be passed to Codex's tools, because Codex reads it too. Leave it out of environment, and set it in the command that needs it.`,
    { field: "environment" },
  );
}

function refuseDenied(extra: HostEnvironment, field: string, reason: string): void {
  const name = Object.keys(extra).find((key) => extra[key] !== undefined && isDeniedForCodex(key));
  if (name === undefined) return;
  throw new ConfigError(`The variable ${name} must not be passed to Codex. ${reason} Choose an auth mode instead.`, {
    field,
  });
}

function requireKey(environment: HostEnvironment): string {
  const key = environment[userKeyVariable];
  if (key) return key;
  throw new ConfigError(
    `auth: api_key needs the environment variable ${userKeyVariable}, which is not set. Set it, or choose another auth mode.`,
    { field: "llm.provider.auth" },
  );
}

function present(environment: HostEnvironment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}
