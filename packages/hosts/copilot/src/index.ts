export { createCopilotBackend } from "./backend.ts";
export type { CopilotApi, CopilotOptions, CopilotWireApi } from "./options.ts";
