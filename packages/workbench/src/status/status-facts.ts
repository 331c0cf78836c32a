import type { ApiStatus } from "@bridle/client";
import type { Fact } from "./facts.tsx";

/** Returns the facts of the status, the most important first: the folder, the account, the model and the rules. */
export function statusFacts({ version, project, rehearsed, caller }: ApiStatus): readonly Fact[] {
  const { credentials, models, limits, policy } = project;
  const facts: (Fact | false)[] = [
    { name: "Project", value: project.projectDir },
    { name: "Backend", value: project.backend },
    rehearsed && { name: "Model of all agents", value: "a script, which costs nothing" },
    project.auth !== null && { name: "Pays", value: describePayer(project.auth) },
    project.baseUrl !== null && { name: "Address of the models", value: project.baseUrl },
    ...models.map(({ role, model }) => ({ name: role === "default" ? "Model" : `Model for ${role}`, value: model })),
    credentials.missing.length > 0 && {
      name: "Missing credentials",
      value: credentials.missing.map(({ field, variables }) => variables.join(" or ") || field).join(", "),
    },
    policy !== null && {
      name: "Rules",
      value: `mode ${policy.mode}, ${policy.rules === 1 ? "1 rule" : `${policy.rules} rules`}, from ${policy.from}`,
    },
    { name: "Runs at once", value: String(limits.maxConcurrency) },
    { name: "Event log", value: project.eventLog },
    { name: "Embeddings", value: [project.embeddings.backend, project.embeddings.model].filter(Boolean).join(", ") },
    project.namespace !== null && { name: "Namespace", value: project.namespace },
    { name: "You are", value: `${caller.name}, ${caller.role}` },
    { name: "Bridle", value: `${version}, Node.js ${project.node}` },
  ];
  return facts.filter((fact) => fact !== false);
}

const payers: Readonly<Record<string, string>> = {
  session: "the host's own login on this machine",
  oauth_token: "a token of Claude Code",
  api_key: "an API key",
};

/** Describes the account that pays for the models. */
export function describePayer(auth: string): string {
  return payers[auth] ?? auth;
}
