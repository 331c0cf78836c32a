/** Provides every embedder that has a host, ready to use. */

import { createApiEmbedder, type EmbedderOptions } from "@bridle/model-api";
import { type Embedder, isBridleError } from "@bridle/protocol";
import { defineScript, type Rehearsal, type ScriptInput, startRehearsal } from "@bridle/rehearsal";
import { onTestFinished } from "vitest";
import { type Answering, type EmbeddingServer, startEmbeddingServer } from "./embeddings-server.ts";

type TestedOptions = Pick<
  Exclude<EmbedderOptions, { backend: "none" }>,
  "dimensions" | "batchSize" | "limits" | "idleTimeoutMs"
>;

interface Started {
  readonly embedder: Embedder;
  /** The pauses between attempts, in milliseconds. The test does not wait for the pauses. */
  readonly pauses: readonly number[];
  /** Creates another embedder on the same server and the same account. */
  make(options: TestedOptions): Embedder;
}

type Turns = ScriptInput["turns"];

export interface EmbedderUnderTest {
  readonly name: string;
  /** Creates an embedder for the model `embed-small`, and a server with faults that a rehearsal does not have. Both end with the test. */
  start(options?: TestedOptions, answering?: Answering): Promise<Started & { readonly server: EmbeddingServer }>;
  /** Like `start`, on a rehearsal. */
  rehearse(turns: Turns, options?: TestedOptions): Promise<Started & { readonly rehearsal: Rehearsal }>;
  /** The path of requests, and the header that contains the key. */
  readonly path: string;
  readonly credential: Readonly<Record<string, string>>;
}

export const key = "key-of-the-options";
const shared = { model: "embed-small", apiKey: key };

export const embedders: readonly EmbedderUnderTest[] = [
  {
    name: "openai",
    ...startWith((url) => ({ backend: "openai", baseUrl: url, ...shared })),
    path: "/v1/embeddings",
    credential: { authorization: `Bearer ${key}` },
  },
  {
    name: "azure_openai",
    ...startWith((url) => ({ backend: "azure_openai", baseUrl: `${url}/openai/v1`, ...shared })),
    path: "/openai/v1/embeddings",
    credential: { "api-key": key },
  },
  {
    name: "azure_openai, with a dated version",
    ...startWith((url) => ({
      backend: "azure_openai",
      baseUrl: `${url}/openai`,
      apiVersion: "2024-10-21",
      ...shared,
    })),
    path: "/openai/deployments/embed-small/embeddings?api-version=2024-10-21",
    credential: { "api-key": key },
  },
  {
    name: "openai-compatible",
    ...startWith((url) => ({ backend: "openai-compatible", baseUrl: `${url}/v1`, ...shared })),
    path: "/v1/embeddings",
    credential: { authorization: `Bearer ${key}` },
  },
];

function startWith(optionsFor: (url: string) => EmbedderOptions): Pick<EmbedderUnderTest, "start" | "rehearse"> {
  function connect(url: string, options: TestedOptions): Started {
    const pauses: number[] = [];
    const wait = async (ms: number) => void pauses.push(ms);
    const make = (more: TestedOptions) => {
      const embedder = createApiEmbedder({ ...optionsFor(url), ...more }, { wait, random: () => 1 });
      onTestFinished(embedder.close);
      return embedder;
    };
    return { embedder: make(options), pauses, make };
  }
  return {
    async start(options = {}, answering) {
      const server = await startEmbeddingServer(answering);
      onTestFinished(server.close);
      return { server, ...connect(server.url, options) };
    },
    async rehearse(turns, options = {}) {
      const rehearsal = await startRehearsal({ script: defineScript({ rehearsal: 1, turns }) });
      onTestFinished(rehearsal.close);
      return { rehearsal, ...connect(rehearsal.url, options) };
    },
  };
}

/** Returns the BridleError that a call rejects with. */
export async function rejectionOf(call: Promise<unknown>) {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (isBridleError(failure)) return failure;
  throw new Error("The call did not end with a BridleError.", { cause: failure });
}
