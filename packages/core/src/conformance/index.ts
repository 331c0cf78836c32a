export { inRows } from "./in-rows.ts";
export { createMemoryBackend, type MemoryBackend } from "./memory-backend.ts";
export { type RecordHarness, testRecord } from "./record-laws.ts";
export type {
  ScriptedCall,
  ScriptedFailure,
  ScriptedModel,
  ScriptedStep,
  ScriptedTurn,
  SentRequest,
} from "./scripted-model.ts";
export { type ConformanceHarness, type ScriptedHost, testBackend } from "./suite.ts";
