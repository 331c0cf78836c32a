import type { RehearsedConversation } from "../engine/conversation.ts";
import { toConversationId } from "../engine/conversation-id.ts";
import { toOpenAIErrorReply } from "../openai/errors.ts";
import { toOpenAILimitHeaders } from "../openai/limit-headers.ts";
import type { Arrival, Protocol, Reading } from "../protocol/protocol.ts";
import { readBody } from "../protocol/read-body.ts";
import { type EmbeddingsRequest, embeddingsRequest } from "./request.ts";
import { toVector } from "./vector.ts";

/**
 * OpenAI's embeddings, which Azure and most other servers also use. For the script, the texts are a user message. If the script has no
 * answer to it, the texts still get their vectors.
 */
export const openaiEmbeddings: Protocol = {
  name: "embeddings",
  path: /\/embeddings$/,
  requestIdHeader: "x-request-id",
  read,
  error: toOpenAIErrorReply,
  limitHeaders: toOpenAILimitHeaders,
};

function read({ body }: Arrival): Reading {
  return readBody(embeddingsRequest, body, {
    toRequest: (request) => ({
      conversation: toConversation(request),
      reply: { kind: "whole", body: ({ dimensions }) => toList(request, dimensions) },
      unscripted: () => toList(request),
    }),
  });
}

function toConversation({ input }: EmbeddingsRequest): RehearsedConversation {
  const user = input.join("\n");
  const id = toConversationId("", user);
  return { id, system: "", user, turn: 1, answers: [], results: [], offered: [] };
}

/** Returns the vectors of the texts. The script's dimensions override those of the request. */
function toList({ input, model = "deployment", encoding_format, ...asked }: EmbeddingsRequest, scripted?: number) {
  const dimensions = scripted ?? asked.dimensions ?? 8;
  const encode = encoding_format === "base64" ? toBase64 : (vector: number[]) => vector;
  const data = input.map((text, index) => ({
    object: "embedding",
    index,
    embedding: encode(toVector(text, dimensions)),
  }));
  const tokens = input.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0);
  return { object: "list", data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } };
}

/** Encodes a vector as little-endian 32-bit floats in base64. */
function toBase64(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString("base64");
}
