import { type Environment } from "@bridle/project";
import { type Cli } from "../../../cli/src/command-line/cli.ts";
import { type Login, probeLogin } from "./login.ts";
import { findOllama, type Ollama } from "./ollama.ts";
import { type ProviderName, providerNames, providers, variablesSet } from "./providers.ts";

/** What somebody has to run models with. Of credentials the names of their variables, and never a value. */
export interface Findings {
  readonly login: Login;
  readonly keys: readonly { readonly provider: ProviderName; readonly variables: readonly string[] }[];
  readonly ollama: Ollama | undefined;
}

/** A request of a login takes some seconds; a server on this machine answers at once. */
const defaultLimits = { loginMs: 20_000, ollamaMs: 1_500 };

/** Looks for everything at once. Never rejects, and never takes longer than the limits, in milliseconds. */
export async function findBackends(
  cli: Pick<Cli, "createRuntime" | "environment">,
  signal: AbortSignal,
  limits: typeof defaultLimits = defaultLimits,
): Promise<Findings> {
  const [login, ollama] = await Promise.all([
    probeLogin(cli, { signal, timeoutMs: limits.loginMs }),
    findOllama(cli.environment, { signal, timeoutMs: limits.ollamaMs }),
  ]);
  return { login, ollama, keys: findKeys(cli.environment) };
}

function findKeys(environment: Environment): Findings["keys"] {
  return providerNames.flatMap((provider) => {
    const variables = variablesSet(provider, environment);
    return variables === undefined || variables.length === 0 ? [] : [{ provider, variables }];
  });
}

/** What was found to work or to be set, the best first: a login that was tried, then keys, then a local model. */
export function usable({ login, keys, ollama }: Findings): readonly ProviderName[] {
  return [
    ...(login.state === "accepted" ? (["claude-code"] as const) : []),
    ...keys.map(({ provider }) => provider),
    ...(ollama && modelForTools(ollama) !== undefined ? (["ollama"] as const) : []),
  ];
}

/** The newest model of the server that can call tools, as far as it says. */
export function modelForTools({ models }: Ollama): string | undefined {
  return models.find(({ callsTools }) => callsTools !== false)?.name;
}

/** A line for each kind of host: what was found, or how to get it. */
export function findingLines(findings: Findings): readonly string[] {
  const { keys } = findings;
  const set = keys.map(({ provider, variables }) => `${providers[provider].label}: ${variables.join(" and ")} is set`);
  return [loginLine(findings.login), ...(set.length > 0 ? set : [noKeys]), ollamaLine(findings.ollama)];
}

const noKeys =
  "Keys in the environment: none (of ANTHROPIC_API_KEY, OPENAI_API_KEY, AI_GATEWAY_API_KEY, CLAUDE_CODE_OAUTH_TOKEN and those of Bedrock and Vertex)";

function loginLine({ state, detail }: Login): string {
  if (state === "accepted") return "Claude Code login: works (asked with one short request)";
  const how = `To have it: ${providers["claude-code"].remedy}.`;
  return state === "refused" ? `Claude Code login: none. ${how}` : `Claude Code login: not checked (${detail}). ${how}`;
}

function ollamaLine(ollama: Ollama | undefined): string {
  if (ollama === undefined) return `Ollama: not running. To have it: ${providers.ollama.remedy}.`;
  const { address, models } = ollama;
  if (models.length === 0) return `Ollama: at ${address}, without a model. "ollama pull qwen3" gets one.`;
  if (modelForTools(ollama) === undefined)
    return `Ollama: at ${address}, without a model that calls tools. "ollama pull qwen3" gets one.`;
  return `Ollama: at ${address}, with ${models.map(({ name }) => name).join(", ")}`;
}
