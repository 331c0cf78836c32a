/** Derives a model catalog from Codex's own catalog, because newer models bring tools that no other option removes. */
import { tmpdir } from "node:os";
import { readProgram } from "@bridle/core";
import { createHostFolder } from "@bridle/host-shared";
import { BackendCrashError, omitUndefined } from "@bridle/protocol";
import { z } from "zod";
import { opensPatches } from "./opened-tools.ts";

const model = z.looseObject({
  slug: z.string(),
  display_name: z.string().optional(),
  context_window: z.number().optional(),
  visibility: z.string().optional(),
  apply_patch_tool_type: z.string().nullish(),
});
const catalogSchema = z.looseObject({ models: z.array(model).min(1) });
export type ModelCatalog = z.infer<typeof catalogSchema>;

/** Values that turn off the tools and instructions that the catalog gives a model (observed on 0.169.0). */
export const closedModel = {
  apply_patch_tool_type: null,
  tool_mode: null, // otherwise the model gets `exec` and `wait` instead of the caller's tools
  multi_agent_version: null,
  experimental_supported_tools: [],
  supports_search_tool: false,
  base_instructions: "", // every conversation has its own instructions
  model_messages: null,
};

/** Returns the same models without their own tools and instructions. */
export function closeCatalog(catalog: ModelCatalog, opened: readonly string[] = []): ModelCatalog {
  const { apply_patch_tool_type: _, ...others } = closedModel;
  const change = opensPatches({ builtins: opened }) ? others : closedModel;
  return { ...catalog, models: catalog.models.map((each) => ({ ...each, ...change })) };
}

/** Returns the name, figures and visibility of each model. */
export function catalogModels({ models }: ModelCatalog) {
  return models
    .filter(({ visibility }) => visibility !== "hide")
    .map(({ slug, display_name, context_window }) =>
      omitUndefined({ id: slug, displayName: display_name, contextWindow: context_window }),
    );
}

/**
 * Returns the program's own catalog, which it prints without a network. Runs the program with a separate home, because it creates a folder
 * in its home.
 */
export async function readBundledCatalog(binary: string): Promise<ModelCatalog> {
  const home = createHostFolder(tmpdir());
  try {
    const env = { HOME: home.path, USERPROFILE: home.path, CODEX_HOME: home.path };
    const options = { env, maxBuffer: 50_000_000 };
    const stdout = await readProgram("host", [binary, ["debug", "models", "--bundled"]], options);
    return catalogSchema.parse(JSON.parse(stdout));
  } catch (cause) {
    throw new BackendCrashError("Codex did not print its catalog of models. Run npm install again.", { cause });
  } finally {
    await home.remove().catch(() => {}); // if this fails, a later start removes the folder
  }
}
