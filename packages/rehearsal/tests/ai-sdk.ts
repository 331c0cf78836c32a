/** Connects the AI SDK's providers to a rehearsal, each with its own protocol. */

import { createAmazonBedrockAnthropic } from "@ai-sdk/amazon-bedrock/anthropic";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createAzure } from "@ai-sdk/azure";
import { createGateway } from "@ai-sdk/gateway";
import { createGoogleVertexAnthropic } from "@ai-sdk/google-vertex/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";

/** Creates a client for each protocol, for the server at a URL. */
export const clients: Readonly<Record<string, (url: string) => LanguageModelV4>> = {
  "Anthropic Messages": (url) => createAnthropic({ baseURL: `${url}/v1`, apiKey })("test-model"),
  "Anthropic on Vertex": (url) => vertex(url)("test-model@20260101"),
  "Anthropic on Bedrock": (url) =>
    createAmazonBedrockAnthropic({ baseURL: url, apiKey, region: "eu-central-1" })("eu.anthropic.test-model-v1:0"),
  "OpenAI Chat Completions": (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey }).chat("test-model"),
  "OpenAI Chat Completions of another server": (url) =>
    createOpenAICompatible({ name: "local", baseURL: `${url}/v1`, includeUsage: true })("test-model"),
  "OpenAI Responses": (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey }).responses("test-model"),
  "OpenAI Responses on Azure": (url) => createAzure({ baseURL: `${url}/openai`, apiKey })("test-deployment"),
  "OpenAI Chat Completions on Azure": (url) =>
    createAzure({ baseURL: `${url}/openai`, apiKey, useDeploymentBasedUrls: true }).chat("test-deployment"),
  "AI Gateway": (url) => createGateway({ baseURL: `${url}/v4/ai`, apiKey })("anthropic/test-model"),
};

function vertex(url: string) {
  const baseURL = `${url}/v1/projects/p/locations/global/publishers/anthropic/models`;
  return createGoogleVertexAnthropic({ baseURL, generateAuthToken: async () => apiKey });
}

const apiKey = "rehearsal";

/** The content of one answer, streamed or not. */
export interface Outcome {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly toolName: string; readonly input: string; readonly toolCallId: string }[];
  readonly finish: string | undefined;
  readonly usage: { readonly input?: number; readonly output?: number; readonly cached?: number };
  readonly error?: unknown;
  /** The model's messages, which the next prompt sends back. */
  readonly content: readonly LanguageModelV4Content[];
}

/** Requests one answer that is not streamed. Rejects if the request fails. */
export async function generate(model: LanguageModelV4, options: LanguageModelV4CallOptions): Promise<Outcome> {
  const { content, finishReason, usage } = await model.doGenerate(options);
  return { ...read(content), finish: finishReason.unified, usage: flat(usage), content };
}

/** Requests one streamed answer. Rejects if the request fails before the stream. `error` is an error within the stream. */
export async function stream(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  onText?: () => void,
): Promise<Outcome> {
  const { stream: parts } = await model.doStream(options);
  const seen: LanguageModelV4StreamPart[] = [];
  let error: unknown;
  try {
    for await (const part of parts) {
      seen.push(part);
      if (part.type === "text-delta") onText?.();
    }
  } catch (thrown) {
    error = thrown;
  }
  const finish = seen.find(({ type }) => type === "finish");
  const content = toContent(seen);
  return {
    ...read(content),
    content,
    finish: finish?.type === "finish" ? finish.finishReason.unified : undefined,
    usage: finish?.type === "finish" ? flat(finish.usage) : {},
    error: error ?? seen.flatMap((part) => (part.type === "error" ? [part.error] : []))[0],
  };
}

export const both = { generate, stream };

function read(content: readonly LanguageModelV4Content[]): Pick<Outcome, "text" | "reasoning" | "calls"> {
  return {
    text: content.map((part) => (part.type === "text" ? part.text : "")).join(""),
    reasoning: content.map((part) => (part.type === "reasoning" ? part.text : "")).join(""),
    calls: content.flatMap((part) => (part.type === "tool-call" ? [part] : [])),
  };
}

type Usage = Awaited<ReturnType<LanguageModelV4["doGenerate"]>>["usage"];

function flat({ inputTokens, outputTokens }: Usage): Outcome["usage"] {
  return JSON.parse(
    JSON.stringify({ input: inputTokens.total, output: outputTokens.total, cached: inputTokens.cacheRead }),
  );
}

/** Joins the parts of a stream, as the AI SDK does it. */
function toContent(parts: readonly LanguageModelV4StreamPart[]): LanguageModelV4Content[] {
  const textOf = (id: string) =>
    parts.map((part) => ("delta" in part && "id" in part && part.id === id ? part.delta : "")).join("");
  const metadataOf = (id: string) => {
    const last = parts.findLast((part) => "id" in part && part.id === id && "providerMetadata" in part);
    return last !== undefined && "providerMetadata" in last && last.providerMetadata !== undefined
      ? { providerMetadata: last.providerMetadata }
      : {};
  };
  return parts.flatMap((part): LanguageModelV4Content[] => {
    if (part.type === "tool-call") return [part];
    if (part.type === "text-start") return [{ type: "text", text: textOf(part.id), ...metadataOf(part.id) }];
    if (part.type === "reasoning-start") return [{ type: "reasoning", text: textOf(part.id), ...metadataOf(part.id) }];
    return [];
  });
}

export function user(text: string): LanguageModelV4Prompt[number] {
  return { role: "user", content: [{ type: "text", text }] };
}

/** Returns the history after an answer whose calls all had the same result. */
export function answered({ content, calls }: Outcome, result: string): LanguageModelV4Prompt {
  const results = calls.map(({ toolCallId, toolName }) => ({
    type: "tool-result" as const,
    toolCallId,
    toolName,
    output: { type: "text" as const, value: result },
  }));
  return [
    { role: "assistant", content: content.flatMap(toPrompt) },
    ...(results.length > 0 ? [{ role: "tool" as const, content: results }] : []),
  ];
}

type Said = Extract<LanguageModelV4Prompt[number], { role: "assistant" }>["content"];

function toPrompt(part: LanguageModelV4Content): Said {
  if (part.type !== "text" && part.type !== "reasoning" && part.type !== "tool-call") return [];
  const options = part.providerMetadata === undefined ? {} : { providerOptions: part.providerMetadata };
  if (part.type !== "tool-call") return [{ type: part.type, text: part.text, ...options }];
  const { type, toolCallId, toolName, input } = part;
  return [{ type, toolCallId, toolName, input: readJson(input), ...options }];
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function tool(name: string): LanguageModelV4FunctionTool {
  const inputSchema = { type: "object" as const, properties: { id: { type: "string" as const } } };
  return { type: "function", name, description: `The tool ${name}.`, inputSchema };
}

/** The options of a call with the prompt "hello". */
export const hello: LanguageModelV4CallOptions = { prompt: [user("hello")] };
