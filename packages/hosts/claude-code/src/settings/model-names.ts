import { ModelNotFoundError, nearest } from "@bridle/protocol";
import type { ClaudeCodeOptions } from "../options.ts";

/** Names that Claude Code resolves to the newest model of the family. */
export const modelAliases = ["opus", "sonnet", "haiku"] as const;

/** Full names that Claude Code 2.1.330 knows. They are only used for suggestions; newer names are accepted too. */
const knownModels = [
  "claude-opus-5-5",
  "claude-opus-5",
  "claude-opus-4-8",
  "claude-opus-4-7",
  "claude-opus-4-6",
  "claude-sonnet-5-5",
  "claude-sonnet-5",
  "claude-sonnet-4-6",
  "claude-sonnet-4-5",
  "claude-haiku-5-5",
  "claude-haiku-4-5",
  "claude-fable-5-2",
];

type Server = Pick<ClaudeCodeOptions, "auth" | "baseUrl" | "ownModelNames">;

/** Whether models may have arbitrary names, as deployments in a cloud and the models of a gateway or another server do. */
export function hasOwnNames({ auth = "session", baseUrl, ownModelNames }: Server): boolean {
  return ownModelNames ?? (["bedrock", "vertex", "foundry"].includes(auth) || baseUrl !== undefined);
}

/** Throws ModelNotFoundError for a name that `refuseModelName` refuses. */
export function requireModelName(model: string, server: Server): void {
  const refusal = refuseModelName(model, server);
  if (refusal) throw refusal;
}

/**
 * Returns the error for a name that is neither an alias nor has the form `claude-…`. In a cloud and with a base URL, any name is accepted,
 * because models there have arbitrary names.
 */
export function refuseModelName(model: string, server: Server): ModelNotFoundError | undefined {
  if (hasOwnNames(server) || modelAliases.some((alias) => alias === model) || model.startsWith("claude-"))
    return undefined;
  return refusedModelError(model);
}

/** Returns the error for a name that Bridle or the host refused. `advice` is appended to the message. */
export function refusedModelError(model: string, cause?: string, advice = ""): ModelNotFoundError {
  const near = nearest(
    model,
    [...modelAliases, ...knownModels].filter((name) => name !== model),
  );
  const reason = cause ?? "Claude Code does not know a model of that name.";
  const hint =
    near.length > 0
      ? `Did you mean ${near.join(", ")}?`
      : `Known: ${modelAliases.join(", ")}, or a full name such as ${knownModels[0]}.`;
  return new ModelNotFoundError(`The model "${model}" cannot be used: ${reason} ${hint}${advice}`, model, near);
}
