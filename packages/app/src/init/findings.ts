import type { Environment } from "@bridle/project";
import type { AppContext } from "../context/app-context.ts";
import { type Login, probeLogin } from "./login.ts";
import { findOllama, type Ollama } from "./ollama.ts";
import { findProbed, providers, variablesSet } from "./providers.ts";

/** The ways to run models on this machine. Credentials appear as the names of their variables, never as values. */
export interface Findings {
  /** Every host with a login, by the name of its provider. */
  readonly logins: readonly ({ readonly provider: string } & Login)[];
  readonly keys: readonly { readonly provider: string; readonly variables: readonly string[] }[];
  readonly ollama: Ollama | undefined;
}

/** The time limits in milliseconds. A login check takes some seconds, and a server on this machine answers at once. */
const defaultLimits = { loginMs: 20_000, ollamaMs: 1_500 };

/** Searches for everything at once. Never rejects, and never takes longer than the time limits. */
export async function findBackends(
  context: Pick<AppContext, "createRuntime" | "environment">,
  signal: AbortSignal,
  limits: typeof defaultLimits = defaultLimits,
): Promise<Findings> {
  const probes = findProbed("login").map(async (provider) => ({
    provider: provider.name,
    ...(await probeLogin(provider, context, { signal, timeoutMs: limits.loginMs })),
  }));
  const [logins, ollama] = await Promise.all([
    Promise.all(probes),
    findOllama(context.environment, { signal, timeoutMs: limits.ollamaMs }),
  ]);
  return { logins, ollama, keys: findKeys(context.environment) };
}

function findKeys(environment: Environment): Findings["keys"] {
  const usual = providers.filter(({ isAlternative = false }) => !isAlternative);
  return usual.flatMap((provider) => {
    const variables = variablesSet(provider, environment);
    return variables === undefined || variables.length === 0 ? [] : [{ provider: provider.name, variables }];
  });
}

/** Names the usable providers, the best first: a login that works, then keys, then a local server. */
export function usableProviders({ logins, keys, ollama }: Findings): readonly string[] {
  const hasServer = ollama !== undefined && modelForTools(ollama) !== undefined;
  return [
    ...logins.filter(({ state }) => state === "accepted").map(({ provider }) => provider),
    ...keys.map(({ provider }) => provider),
    ...(hasServer ? findProbed("server").map(({ name }) => name) : []),
  ];
}

/** Returns the server's newest model that can call tools. A model also counts if the server does not report the model's capabilities. */
export function modelForTools({ models }: Ollama): string | undefined {
  return models.find(({ callsTools }) => callsTools !== false)?.name;
}
