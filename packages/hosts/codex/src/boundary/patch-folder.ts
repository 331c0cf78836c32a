import { realpath } from "node:fs/promises";
import { ConfigError, type ConversationSpec, InvalidRequestError } from "@bridle/protocol";
import type { ModelCatalog } from "./model-catalog.ts";
import { applyPatch, opensPatches } from "./opened-tools.ts";

/** Returns the folder that patches change, with links in its path resolved; undefined if patches are not open. */
export async function patchFolderOf(spec: ConversationSpec, catalog: ModelCatalog): Promise<string | undefined> {
  if (!opensPatches(spec)) return undefined;
  const model = catalog.models.find(({ slug }) => slug === spec.model);
  if (model?.apply_patch_tool_type !== "freeform")
    throw new InvalidRequestError(
      `Codex has no ${applyPatch} for the model ${spec.model}. Choose a model of Codex's catalog, or do not open the tool.`,
    );
  return realpath(spec.projectDir).catch((cause: unknown) => {
    const message = `The folder ${spec.projectDir} for ${applyPatch} cannot be opened. Create it, or correct its path.`;
    throw new ConfigError(message, { field: "projectDir", cause });
  });
}
