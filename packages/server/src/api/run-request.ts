/** The request for a run, and the options that `serve.allow` in `bridle.yaml` must list. */
import { policyModes } from "@bridle/app/runs";
import type { RunToStart, Workspace } from "@bridle/app/serving";
import { type Prompt, partSchema, suggestion } from "@bridle/protocol";
import { z } from "zod";
import { RequestProblem } from "../http/problem.ts";

/** Content that is sent with a prompt. A request can never refer to a file of the server. */
const attachmentSchema = z.strictObject({
  name: z.string().max(200).optional().describe("Shown to the model, such as notes.md."),
  mediaType: z
    .string()
    .regex(/^(image\/(png|jpeg|gif|webp)|application\/pdf|text\/[a-z0-9.+-]+)$/)
    .describe("image/png, image/jpeg, image/gif, image/webp, application/pdf or text/…"),
  data: z.base64().min(1),
});

/** Labels that Bridle itself sets to identify runs. */
const reservedLabels = ["agent", "instructions", "test", "case", "trial", "summaryOf"];

export const labelsSchema = z
  .record(z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,39}$/), z.string().max(200))
  .refine((labels) => Object.keys(labels).length <= 20, "has more than 20 labels")
  .refine((labels) => !reservedLabels.some((name) => name in labels), "has a label that Bridle sets itself");

const allowed = (key: string) => `Only values that serve.allow.${key} lists.`;

export const startRunSchema = z.strictObject({
  prompt: z.string().min(1),
  attachments: z.array(attachmentSchema).max(20).optional(),
  timeLimit: z.number().positive().max(86_400).optional().describe("In seconds. The agent's own limit still applies."),
  agent: z.string().optional().describe("Default: the agent of the session, or the only agent."),
  labels: labelsSchema.optional(),
  model: z
    .string()
    .min(1)
    .optional()
    .describe(`Replaces the agent's model. ${allowed("models")}`),
  mode: z
    .enum(policyModes)
    .optional()
    .describe(`Which calls need approval. ${allowed("modes")}`),
  steps: z
    .int()
    .positive()
    .optional()
    .describe("The most responses of the model, at most serve.allow.steps. The agent's own limit still applies."),
});
type StartRun = z.output<typeof startRunSchema>;

export function toPrompt({ prompt, attachments = [] }: StartRun): Prompt {
  if (attachments.length === 0) return prompt;
  const parts = attachments.map(({ name, mediaType, data }) =>
    partSchema.parse(
      mediaType.startsWith("image/")
        ? { type: "image", mediaType, data }
        : { type: "file", mediaType, data, ...(name !== undefined && { name }) },
    ),
  );
  return [{ role: "user", content: [{ type: "text", text: prompt }, ...parts] }];
}

/**
 * Reads the options that the request sets for its run. @throws RequestProblem for an option that `serve.allow` does not list.
 */
export function readChoices(
  { model, mode, steps }: StartRun,
  { context }: Pick<Workspace, "context">,
): Pick<RunToStart, "model" | "mode" | "steps"> {
  const { allow } = context.project.settings.serve;
  requireListed("model", model, allow.models);
  requireListed("mode", mode, allow.modes);
  if (steps !== undefined && steps > (allow.steps ?? 0)) {
    const max = allow.steps === undefined ? "not set" : `${allow.steps}`;
    throw notAllowed("steps", `may not be chosen: serve.allow.steps in bridle.yaml is ${max}`);
  }
  return { model, mode, steps };
}

function requireListed(name: "model" | "mode", chosen: string | undefined, listed: readonly string[]): void {
  if (chosen === undefined || listed.includes(chosen)) return;
  const key = `serve.allow.${name}s`;
  const reason = listed.length === 0 ? `has none` : `has only ${listed.join(", ")}`;
  throw notAllowed(name, `may not be chosen: ${key} in bridle.yaml ${reason}.${suggestion(chosen, listed)}`);
}

function notAllowed(name: string, message: string): RequestProblem {
  const errors = [{ pointer: `/${name}`, message }];
  return new RequestProblem(422, "not-allowed", `The body is wrong. /${name} ${message}.`.replace(/[.?]{2}$/, "."), {
    errors,
  });
}
