/** The model hosts. This list is the only place that names them: everything else asks their definitions. */
import { claudeCodeHost } from "@bridle/claude-code/definition";
import { codexHost } from "@bridle/codex/definition";
import { copilotHost } from "@bridle/copilot/definition";
import { modelApiHosts } from "@bridle/model-api/definitions";
import { noHost } from "../own-hosts/no-host.ts";

/** In display order. A project that does not choose a host gets the first one. */
export const definitions = [claudeCodeHost, codexHost, copilotHost, ...modelApiHosts, noHost] as const;
