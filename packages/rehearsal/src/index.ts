export { toVector } from "./embeddings/vector.ts";
export type { RehearsedModel, RehearsedRequest } from "./engine/model-player.ts";
export { defineScript } from "./script/define.ts";
export { loadScript } from "./script/load.ts";
export { parseScript } from "./script/parse.ts";
export type { ScriptInput, StepInput } from "./script/schema.ts";
export type { Script } from "./script/script.ts";
export { type Rehearsal, type RehearsalOptions, startRehearsal } from "./server/rehearsal.ts";
export type { RecordedRequest, RehearsalFailure } from "./server/request-log.ts";
