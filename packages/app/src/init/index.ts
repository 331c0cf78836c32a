/** Creates a project: finds ways to run models on this machine, asks for choices, and writes the files. */
export { type CreatedProject, type CreateProjectOptions, createProject } from "./create-project.ts";
export { type Findings, modelForTools, usableProviders } from "./findings.ts";
export { problemOfFolder } from "./folder-name.ts";
export type { InitQuestions } from "./init-questions.ts";
export { type InitReport, initSchema } from "./init-report.ts";
export type { Ollama } from "./ollama.ts";
export type { GivenChoices } from "./plan-project.ts";
export { findProbed, findProvider, knownVariables, providerNames, providers } from "./providers.ts";
export { type TemplateName, templateLabels, templateNames } from "./templates.ts";
