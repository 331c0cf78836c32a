/** Agent files of other products: importing one file, and trying all files of a folder. */
export {
  type AgentImport,
  agentImportSchema,
  type ImportAgentOptions,
  importAgentFile,
  importFormats,
} from "./import-agent-file.ts";
export { type AgentSurvey, agentSurveySchema, surveyAgentFiles } from "./survey-agent-files.ts";
