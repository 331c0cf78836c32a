/** The model hosts. This list is the only place that names them: everything else asks their definitions. */
import { claudeCodeHost } from "@bridle/claude-code/definition";
import { modelApiHosts } from "@bridle/model-api/definitions";
import { noHost } from "./no-host.ts";

/** In the order in which they are shown. The first one is used if a project names none. */
export const definitions = [claudeCodeHost, ...modelApiHosts, noHost] as const;
