/** The parts of a Responses API request that Bridle reads. */
import { z } from "zod";
import { RequestProblem } from "../../http/problem.ts";
import type { GivenAnswer } from "../shared/answer-questions.ts";
import { openAiMessageSchema } from "./openai-messages.ts";

const item = z.looseObject({ type: z.string().optional(), role: z.string().optional() });

/** Accepts unknown fields, because clients send many. */
export const responseRequestSchema = z.looseObject({
  model: z.string(),
  input: z.union([z.string(), z.array(item)]),
  previous_response_id: z.string().nullish(),
  conversation: z.union([z.string(), z.looseObject({ id: z.string() })]).nullish(),
  stream: z.boolean().nullish(),
  background: z.boolean().nullish(),
  metadata: z
    .record(z.string().max(64), z.string().max(512))
    .refine((metadata) => Object.keys(metadata).length <= 16, "has more than 16 entries")
    .nullish(),
  tools: z.array(z.unknown()).nullish(),
});
export type ResponseRequest = z.infer<typeof responseRequestSchema>;

const approvalResponse = z.looseObject({
  type: z.literal("mcp_approval_response"),
  approval_request_id: z.string(),
  approve: z.boolean(),
  reason: z.string().nullish(),
  /** The edited input of the call, as JSON. This field is Bridle's own, because OpenAI has none for it. */
  arguments: z.string().optional(),
});

/**
 * Reads the messages of the input. Items of an earlier output are ignored, because the event log contains them. @throws RequestProblem if a
 * message is malformed.
 */
export function readResponseMessages({ input }: ResponseRequest) {
  if (typeof input === "string") return [{ role: "user", content: input }];
  return input.flatMap((each, index) => {
    if (each.type !== undefined && each.type !== "message") return [];
    return [parseItem(openAiMessageSchema, each, index)];
  });
}

/** Reads the answers to questions; `undefined` if the input contains none. @throws RequestProblem if an answer is malformed. */
export function readApprovals({ input }: ResponseRequest): ReadonlyMap<string, GivenAnswer> | undefined {
  if (typeof input === "string") return undefined;
  const answers = input.flatMap((each, index): [string, GivenAnswer][] => {
    if (each.type !== "mcp_approval_response") return [];
    const { approval_request_id: id, approve, reason, arguments: edited } = parseItem(approvalResponse, each, index);
    const message = reason ? { message: reason } : {};
    return [
      [id, approve ? { decision: "allow", ...message, ...readEdit(edited, index) } : { decision: "deny", ...message }],
    ];
  });
  return answers.length > 0 ? new Map(answers) : undefined;
}

function readEdit(edited: string | undefined, index: number): Pick<GivenAnswer, "input"> {
  if (edited === undefined) return {};
  try {
    return { input: JSON.parse(edited) as unknown };
  } catch {
    throw malformed(`/input/${index}/arguments`, "is not JSON");
  }
}

function parseItem<T>(schema: z.ZodType<T>, value: unknown, index: number): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw malformed(["/input", index, ...(issue?.path ?? [])].join("/"), issue?.message ?? "is malformed");
}

function malformed(pointer: string, message: string): RequestProblem {
  return new RequestProblem(422, "invalid-input", `The input is wrong. ${pointer}: ${message}.`, {
    errors: [{ pointer, message }],
  });
}
