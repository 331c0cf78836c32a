import { type Environment } from "@bridle/project";
import { z } from "zod";

/** What an Ollama server on this machine says of itself. */
export interface Ollama {
  /** Such as `http://localhost:11434`. */
  readonly address: string;
  /** The newest first, as it lists them. */
  readonly models: readonly OllamaModel[];
}

interface OllamaModel {
  readonly name: string;
  /** Whether it can call tools; undefined where the server does not say. */
  readonly callsTools: boolean | undefined;
}

const listing = z.object({ models: z.array(z.object({ name: z.string() })) });
const shown = z.object({ capabilities: z.array(z.string()) });

/**
 * Looks for Ollama where its own variable OLLAMA_HOST says, else at its default address. Undefined where nothing answers
 * as Ollama does. `timeoutMs` in milliseconds.
 */
export async function findOllama(
  environment: Environment,
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<Ollama | undefined> {
  const address = ollamaAddress(environment.OLLAMA_HOST);
  const until = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const listed = listing.safeParse(await ask(`${address}/api/tags`, { signal: until }));
  if (!listed.success) return undefined;
  const models = listed.data.models.map(async ({ name }) => {
    const body = JSON.stringify({ model: name });
    const said = shown.safeParse(await ask(`${address}/api/show`, { method: "POST", body, signal: until }));
    return { name, callsTools: said.success ? said.data.capabilities.includes("tools") : undefined };
  });
  return { address, models: await Promise.all(models) };
}

/** Ollama takes a host, with or without port and protocol; 0.0.0.0 is where a server listens, not where it is. */
export function ollamaAddress(host = ""): string {
  const written = host.trim() || "localhost";
  const text = written.includes("://") ? written : `http://${written}`;
  const url = URL.parse(text);
  if (url === null) return "http://localhost:11434";
  if (url.hostname === "0.0.0.0") url.hostname = "localhost";
  const hasPort = /:\d+\/*$/.test(text);
  if (!hasPort && url.protocol === "http:") url.port = "11434";
  return url.origin;
}

/** JSON, or undefined for whatever is none: nobody there, another kind of server, no answer in time. */
async function ask(url: string, init: RequestInit): Promise<unknown> {
  try {
    const response = await fetch(url, init);
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}
