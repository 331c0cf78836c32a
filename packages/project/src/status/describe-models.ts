import { modelAliases } from "@bridle/claude-code";
import { nearest } from "@bridle/protocol";
import type { Provider } from "../config/provider.ts";
import type { Settings } from "../settings/settings.ts";
import type { Status } from "./status-schema.ts";

const cloudModes: readonly string[] = ["bedrock", "vertex", "foundry"];

/** The roles and their models. What came from the environment is shown as the file has it. */
export function describeModels({ models, written, provider }: Settings): Status["models"] {
  return Object.entries(models).map(([role, model]) => {
    const shown = written[`llm.models.${role}`];
    const known = isKnown(model, provider);
    const near = known || shown !== undefined ? [] : nearest(model, modelAliases);
    return { role, model: shown ?? model, known, nearest: near };
  });
}

/** Only Claude Code knows names without being asked; and there a cloud's deployments bear any name. */
function isKnown(model: string, provider: Provider): boolean {
  if (provider.backend !== "claude-code" || cloudModes.includes(provider.auth)) return true;
  return model.startsWith("claude-") || modelAliases.some((alias) => alias === model);
}
