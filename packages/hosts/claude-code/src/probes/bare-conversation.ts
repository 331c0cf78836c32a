import { tmpdir } from "node:os";
import { type ConversationSpec, defaultPromptCaching } from "@bridle/protocol";

/** An empty conversation without a project, for requests about the host itself. */
export const bareConversation: ConversationSpec = {
  model: "haiku",
  system: { static: "", dynamic: "" },
  tools: [],
  builtins: [],
  stepBudget: 1,
  promptCaching: defaultPromptCaching,
  history: [],
  projectDir: tmpdir(),
};
