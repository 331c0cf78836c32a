/** The parts of an A2A request that Bridle reads. */
import type { Prompt, PromptPart } from "@bridle/protocol";
import { z } from "zod";
import { RequestProblem } from "../../http/problem.ts";
import { toDataPart } from "../shared/prompt-parts.ts";

/** Accepts unknown fields, because newer clients may send more. */
export const rpcRequestSchema = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string().max(200), z.int(), z.null()]).optional(),
  method: z.string().max(200),
  params: z.looseObject({}).optional(),
});
export type RpcRequest = z.infer<typeof rpcRequestSchema>;

const partSchema = z.looseObject({
  text: z.string().optional(),
  data: z.unknown().optional(),
  /** The content in Base64. */
  raw: z.string().optional(),
  url: z.string().optional(),
  filename: z.string().max(200).optional(),
  mediaType: z.string().max(100).optional(),
});

const messageSchema = z.looseObject({
  messageId: z.string().min(1).max(200),
  role: z.literal("ROLE_USER"),
  contextId: z.string().max(200).optional(),
  taskId: z.string().max(200).optional(),
  parts: z.array(partSchema).min(1),
});
type SentMessage = z.infer<typeof messageSchema>;

const historyLength = z.int().nonnegative().optional();

export const sendParamsSchema = z.looseObject({
  message: messageSchema,
  configuration: z
    .looseObject({
      acceptedOutputModes: z.array(z.string()).default([]),
      taskPushNotificationConfig: z.unknown().optional(),
      historyLength,
      returnImmediately: z.boolean().default(false),
    })
    .prefault({}),
});
export type SendParams = z.infer<typeof sendParamsSchema>;

export const taskParamsSchema = z.looseObject({ id: z.string().min(1).max(200), historyLength });

export const listParamsSchema = z.looseObject({
  contextId: z.string().max(200).optional(),
  status: z.string().startsWith("TASK_STATE_").optional(),
  pageSize: z.int().min(1).max(100).default(50),
  pageToken: z.string().max(2000).optional(),
  historyLength,
  statusTimestampAfter: z.iso.datetime({ offset: true }).transform(Date.parse).optional(),
  includeArtifacts: z.boolean().default(false),
});
export type ListParams = z.infer<typeof listParamsSchema>;

/** Parses the params. @throws RequestProblem with the reason if they are invalid. */
export function parseParams<T>(schema: z.ZodType<T>, { params = {} }: RpcRequest): T {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const pointer = ["", "params", ...(issue?.path ?? [])].map(String).join("/");
  throw new RequestProblem(422, "invalid-input", `The params are wrong. ${pointer}: ${issue?.message}.`);
}

/** Reads the prompt. @throws RequestProblem if a part cannot be sent to a model, or if all parts are empty. */
export function readA2aPrompt({ parts }: SentMessage): Prompt {
  const content = parts.map(toPromptPart).filter((part) => part.type !== "text" || part.text.trim() !== "");
  if (content.length > 0) return [{ role: "user", content }];
  throw new RequestProblem(422, "no-prompt", "The message has no text and no file. Add one.");
}

function toPromptPart({ text, data, raw, url, filename, mediaType = "" }: z.infer<typeof partSchema>): PromptPart {
  if (text !== undefined) return { type: "text", text };
  if (raw !== undefined) return toDataPart(mediaType, raw, filename);
  if (data !== undefined) return { type: "text", text: JSON.stringify(data) };
  if (url === undefined) throw new RequestProblem(422, "invalid-input", "A part has no text, raw or data. Add one.");
  throw new RequestProblem(422, "remote-file", "Files are not fetched from an address. Send the content as raw.");
}
