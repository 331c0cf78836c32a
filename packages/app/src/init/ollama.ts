import type { Environment } from "@bridle/project";
import { z } from "zod";

/** An Ollama server on this machine. */
export interface Ollama {
  /** The address, such as `http://localhost:11434`. */
  readonly address: string;
  /** The models, the newest first. */
  readonly models: readonly OllamaModel[];
}

interface OllamaModel {
  readonly name: string;
  /** Whether the model can call tools; `undefined` if the server does not report it. */
  readonly callsTools: boolean | undefined;
}

const listing = z.object({ models: z.array(z.object({ name: z.string() })) });
const shown = z.object({ capabilities: z.array(z.string()) });

/**
 * Searches for Ollama at the address in the variable OLLAMA_HOST, or else at the default address. Returns `undefined` if no Ollama answers.
 * `timeoutMs` in milliseconds.
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
    const details = shown.safeParse(await ask(`${address}/api/show`, { method: "POST", body, signal: until }));
    return { name, callsTools: details.success ? details.data.capabilities.includes("tools") : undefined };
  });
  return { address, models: await Promise.all(models) };
}

/**
 * Completes the address. Ollama accepts a host with or without port and protocol. 0.0.0.0 is an address to listen on, not to connect to.
 */
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

/** Returns the JSON of the response; `undefined` if there is no server, no response in time, or no JSON. */
async function ask(url: string, init: RequestInit): Promise<unknown> {
  try {
    const response = await fetch(url, init);
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}
