export { type Price, type PriceTable, pricesAsOf } from "@bridle/host-shared";
export { createModelApiBackend } from "./backend.ts";
export { createApiEmbedder } from "./embeddings/create-embedder.ts";
export type { EmbedderOptions } from "./embeddings/options.ts";
export { type ApiModelTable, type HostListedModel, listModels, modelTable } from "./models/list-models.ts";
export { type ModelApiId, type ModelApiOptions, modelApiIds } from "./settings/options.ts";
export { claudeAliases, modelsAsOf } from "./wiring/known-models.ts";
