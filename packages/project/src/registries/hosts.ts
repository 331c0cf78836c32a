/** The model hosts. No other place lists them: other code uses their definitions. */
import { claudeCodeHost } from "@bridle/claude-code/definition";
import { codexHost } from "@bridle/codex/definition";
import { copilotHost } from "@bridle/copilot/definition";
import { modelApiHosts } from "@bridle/model-api/definitions";
import { noHost } from "../own-hosts/no-host.ts";

/** All hosts, in display order. A project that does not choose a host gets the first one. */
export const definitions = [claudeCodeHost, codexHost, copilotHost, ...modelApiHosts, noHost] as const;
