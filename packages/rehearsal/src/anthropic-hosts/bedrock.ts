import { z } from "zod";
import { type Framing, readMessages } from "../anthropic/protocol.ts";
import { type FaultKind, type FaultWords, toProtocolFault } from "../protocol/fault-kind.ts";
import type { Arrival, ErrorReply, Protocol, Reading, WireFault } from "../protocol/protocol.ts";
import { firstProblem } from "../protocol/read-body.ts";
import { apiVersion } from "./api-version.ts";
import { toEventStreamMessage } from "./event-stream.ts";
import { toRetryAfter } from "./retry-after.ts";

const path = /\/model\/([^/]+)\/(invoke|invoke-with-response-stream)$/;

/** Anthropic Messages on Amazon Bedrock (InvokeModel): the path contains the model, and streams are AWS event streams. */
export const bedrockAnthropic: Protocol = {
  name: "bedrock",
  path,
  requestIdHeader: "x-amzn-requestid",
  read,
  error: toErrorReply,
  limitHeaders: toRetryAfter,
};

const extraneous = z.undefined("extraneous key is not permitted").optional();
const bedrockBody = z.looseObject({
  anthropic_version: z.enum(["bedrock-2023-05-31", apiVersion]),
  model: extraneous,
  stream: extraneous,
});

function read({ path: asked, body, memory }: Arrival): Reading {
  const parsed = bedrockBody.safeParse(body);
  if (!parsed.success) return { problem: `Malformed input request: ${firstProblem(parsed.error)}` };
  const [, model = "", verb] = path.exec(asked) ?? [];
  // Model names contain colons, which clients encode.
  const name = model.replaceAll(/%3a/gi, ":");
  return readMessages({ body: { ...parsed.data, model: name, stream: verb !== "invoke" }, memory }, eventStream);
}

const chunkHeaders = { ":event-type": "chunk", ":content-type": "application/json", ":message-type": "event" };

const eventStream: Framing = {
  contentType: "application/vnd.amazon.eventstream",
  frame: ({ value, isPiece }) => {
    const bytes = Buffer.from(JSON.stringify(value)).toString("base64");
    return { data: toEventStreamMessage(chunkHeaders, JSON.stringify({ bytes })), isPiece };
  },
};

const errors: Readonly<Record<FaultKind, FaultWords>> = {
  invalid: ["ValidationException", "The request is not valid."],
  authentication: ["UnrecognizedClientException", "The security token included in the request is invalid."],
  billing: ["AccessDeniedException", "Your account has no valid payment instrument for this model."],
  permission: ["AccessDeniedException", "You don't have access to the model with the specified model ID."],
  model: ["ResourceNotFoundException", "Could not resolve the foundation model from the provided model identifier."],
  context: ["ValidationException", "Input is too long for requested model."],
  size: ["ValidationException", "The request is larger than the API takes."],
  limit: ["ThrottlingException", "Too many requests, please wait before trying again."],
  server: [
    "InternalServerException",
    "The system encountered an unexpected error during processing. Try your request again.",
  ],
  timeout: ["ModelTimeoutException", "The model timed out."],
  overloaded: ["ServiceUnavailableException", "Bedrock is unable to process your request."],
  filtered: ["ValidationException", "The output was blocked by a content filter."],
};

/** Writes an error like AWS: its name in a header, its message in the body. */
function toErrorReply(fault: WireFault): ErrorReply {
  const { type, message } = toProtocolFault(fault, errors);
  return { body: { message }, headers: { "x-amzn-errortype": type } };
}
