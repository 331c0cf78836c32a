/** `llm.provider`: for each backend exactly its keys. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
import { authModes } from "@bridle/claude-code";
import { z } from "zod";
import { atMostOne } from "./at-most-one.ts";

const text = (what: string) => z.string().min(1).optional().describe(what);
const address = (what: string) =>
  z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(what);
const key = (variable: string) => text(`The key of the account that pays, such as \${${variable}}.`);
const backend = "The host of the models. none: every operation that needs a model fails.";
const elsewhere = address("Where requests go instead of the provider's own address, such as a gateway.");

const count = (what: string) => z.int().min(1).exactOptional().describe(what);

/** Node itself ends a request after 300,000 ms of silence. */
const idleTimeoutMs = z
  .int()
  .min(1)
  .max(300_000)
  .exactOptional()
  .describe("Milliseconds without a byte from the host until a request is given up, 300000 at most. Default: 120000.");

const headers = z
  .record(z.string().regex(/^[\w!#$%&'*+^`|~-]+$/, "it is no name of a header"), z.string())
  .exactOptional()
  .describe(
    "Headers of every request beside its own, such as a gateway asks for, by name. What they hold is never shown.",
  );

/** Of every model API. */
const common = { idleTimeoutMs, headers };

const poolSchema = z
  .union([
    z.literal(false),
    z.strictObject({
      maxProcesses: count("Processes that are kept at a time. Default: 8."),
      maxCalls: count("Calls that one process serves, one after another. Default: 100."),
      idleMs: count("Milliseconds that a process waits for its next call. Default: 60000."),
      maxBytes: count("Bytes of memory beyond which a process is not kept. Default: 600000000."),
    }),
  ])
  .optional()
  .describe("Processes of Claude Code that wait for calls. false: one for each call, which ends with it.");

const options = [
  z.strictObject({
    backend: z.literal("claude-code").default("claude-code").describe(backend),
    auth: z
      .enum(authModes)
      .default("session")
      .describe("Who pays: the login of Claude Code on this machine (session), or a credential of the environment."),
    baseUrl: address("Where requests go instead of the provider's own address. Not with auth: session."),
    idleTimeoutMs: count(
      "Milliseconds without a word of Claude Code until a run is given up; what tools take does not count. Default: 300000.",
    ),
    pool: poolSchema,
  }),
  z.strictObject({
    backend: z.literal("anthropic").describe(backend),
    apiKey: key("ANTHROPIC_API_KEY"),
    baseUrl: elsewhere,
    ...common,
  }),
  z.strictObject({
    backend: z.literal("openai").describe(backend),
    apiKey: key("OPENAI_API_KEY"),
    baseUrl: elsewhere,
    organization: text("The organization that requests are counted for."),
    project: text("The project that requests are counted for."),
    ...common,
  }),
  z.strictObject({
    backend: z.literal("openai-compatible").describe(backend),
    baseUrl: address("The address of the server, such as http://localhost:11434/v1 for Ollama."),
    apiKey: text("A key, where the server wants one."),
    ...common,
  }),
  z.strictObject({
    backend: z.literal("gateway").describe(backend),
    apiKey: key("AI_GATEWAY_API_KEY"),
    baseUrl: elsewhere,
    ...common,
  }),
  z
    .strictObject({
      backend: z.literal("vertex").describe(backend),
      project: text("The Google Cloud project that pays, such as ${GOOGLE_CLOUD_PROJECT}."),
      location: text("The region of the models, such as us-east5, or global."),
      accessToken: text("A token of Google Cloud that is good for about an hour."),
      keyFile: text("The key file of a service account."),
      credentials: z
        .literal("application-default")
        .optional()
        .describe("The login that gcloud keeps on this machine, or what it finds on a machine of Google's."),
      baseUrl: elsewhere,
      ...common,
    })
    .check(atMostOne([["accessToken"], ["keyFile"], ["credentials"]])),
  z
    .strictObject({
      backend: z.literal("bedrock").describe(backend),
      region: text("The AWS region of the models, such as ${AWS_REGION}."),
      accessKeyId: text("The id of an AWS access key, such as ${AWS_ACCESS_KEY_ID}."),
      secretAccessKey: text("Its secret, such as ${AWS_SECRET_ACCESS_KEY}."),
      sessionToken: text("Its session token, where it is a temporary one, such as ${AWS_SESSION_TOKEN}."),
      apiKey: text("A Bedrock API key instead, such as ${AWS_BEARER_TOKEN_BEDROCK}."),
      baseUrl: elsewhere,
      ...common,
    })
    .check(atMostOne([["accessKeyId", "secretAccessKey", "sessionToken"], ["apiKey"]])),
  z.strictObject({ backend: z.literal("none").describe(backend) }),
] as const;

export const providerSchema = z.discriminatedUnion("backend", options);

/** Which host runs the models, and with what it is reached. */
export type Provider = z.output<typeof providerSchema>;
export type BackendName = Provider["backend"];
export type ModelApiProvider = Exclude<Provider, { backend: "claude-code" | "none" }>;

/** The model hosts that a project may choose. `none` is for work that needs no model. */
export const backendNames = [
  "claude-code",
  "anthropic",
  "openai",
  "openai-compatible",
  "gateway",
  "vertex",
  "bedrock",
  "none",
] as const satisfies readonly BackendName[];

/** Whether the backend is a model API, where every token has a price, and not a host of its own. */
export function isModelApi(provider: Provider): provider is ModelApiProvider {
  return provider.backend !== "claude-code" && provider.backend !== "none";
}

/** Whether the backend's models go by the aliases of Claude. */
export function hasClaude({ backend }: Pick<Provider, "backend">): boolean {
  return backend !== "openai" && backend !== "openai-compatible";
}
