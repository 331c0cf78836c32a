import { tmpdir } from "node:os";
import { type ConversationSpec, defaultPromptCaching } from "@bridle/protocol";

/** A conversation about no project, with nothing in it, for questions to the host itself. */
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
