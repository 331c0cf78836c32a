import { modelAliases } from "@bridle/claude-code";
import { nearest } from "@bridle/core";
import type { Settings } from "../settings.ts";
import type { Status } from "./status-schema.ts";

const cloudModes: readonly string[] = ["bedrock", "vertex", "foundry"];

/** The roles and their models. What came from the environment is shown as the file has it. */
export function describeModels({ models, written, backend, auth }: Settings): Status["models"] {
  // A cloud's deployments bear any name.
  const isAnyKnown = backend === "none" || cloudModes.includes(auth);
  return Object.entries(models).map(([role, model]) => {
    const shown = written[`llm.models.${role}`];
    const known = isAnyKnown || model.startsWith("claude-") || modelAliases.some((alias) => alias === model);
    const near = known || shown !== undefined ? [] : nearest(model, modelAliases);
    return { role, model: shown ?? model, known, nearest: near };
  });
}
