import { z } from "zod";
import { toAnthropicErrorReply } from "../anthropic/errors.ts";
import { readMessages, serverSentEvents } from "../anthropic/protocol.ts";
import { type FaultKind, faultKindFor } from "../protocol/fault-kind.ts";
import type { Arrival, ErrorReply, Protocol, Reading, WireFault } from "../protocol/protocol.ts";
import { firstProblem } from "../protocol/read-body.ts";
import { apiVersion } from "./api-version.ts";
import { toRetryAfter } from "./retry-after.ts";

const path = /\/publishers\/anthropic\/models\/(?!count-tokens:)([^/:]+):(rawPredict|streamRawPredict)$/;

/** Anthropic Messages on Google Cloud Vertex AI: the path contains the model, and the headers have no version. */
export const vertexAnthropic: Protocol = {
  name: "vertex",
  path,
  requestIdHeader: "x-vertex-ai-request-id",
  read,
  error: toErrorReply,
  limitHeaders: toRetryAfter,
};

const vertexBody = z.looseObject({
  anthropic_version: z.enum(["vertex-2023-10-16", apiVersion]),
  model: z.undefined("Extra inputs are not permitted").optional(),
});

function read({ path: asked, body, memory }: Arrival): Reading {
  const parsed = vertexBody.safeParse(body);
  if (!parsed.success) return { problem: firstProblem(parsed.error) };
  const [, model, verb] = path.exec(asked) ?? [];
  const request = { ...parsed.data, model, stream: verb === "streamRawPredict" };
  return readMessages({ body: request, memory }, serverSentEvents);
}

/** The errors about access, names and quotas, which have Google's format. Errors of the model have Anthropic's format. */
const googleErrors: Partial<Record<FaultKind, readonly [status: string, message: string]>> = {
  authentication: [
    "UNAUTHENTICATED",
    "Request had invalid authentication credentials. Expected an OAuth 2 access token.",
  ],
  billing: ["PERMISSION_DENIED", "This API method requires billing to be enabled."],
  permission: ["PERMISSION_DENIED", "Permission 'aiplatform.endpoints.predict' denied on resource."],
  model: ["NOT_FOUND", "The publisher model was not found, or your project does not have access to it."],
  limit: [
    "RESOURCE_EXHAUSTED",
    "Quota exceeded for aiplatform.googleapis.com/online_prediction_requests_per_base_model.",
  ],
};

function toErrorReply(fault: WireFault): ErrorReply {
  const google = googleErrors[faultKindFor(fault)];
  if (google === undefined) return toAnthropicErrorReply(fault);
  const [status, message] = google;
  return { body: { error: { code: fault.status, message: fault.message ?? message, status } } };
}
