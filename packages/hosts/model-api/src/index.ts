export { createModelApiBackend } from "./backend.ts";
export { createEmbedder } from "./embeddings/create-embedder.ts";
export type { EmbedderOptions } from "./embeddings/options.ts";
export { type ListedModel, listModels, type ModelTable, modelTable } from "./list-models.ts";
export { claudeAliases, modelsAsOf } from "./models.ts";
export { type ModelApiId, type ModelApiOptions, modelApiIds } from "./options.ts";
export { type Price, type PriceTable, pricesAsOf } from "./prices.ts";
export { mendWords } from "./repair.ts";
