import { agentOperand, chatFlags, readChatPlan } from "./chat-options.ts";
import { defineCommand } from "../../command-line/command.ts";
import { exitCodeHelp } from "../../command-line/exit-codes.ts";

export const chatCommand = defineCommand({
  description: `Talk with an agent. The conversation is a session on record: leave at any time, and go on with --continue.
At a terminal you see what the model says and does as it happens, and are asked where the rules ask.
Through a pipe all of standard input is one prompt, and the answer goes to standard output.`,
  notes: exitCodeHelp,
  operand: agentOperand,
  flags: chatFlags,
  examples: [
    "bridle chat",
    "bridle chat agents/desk.yaml --rehearse rehearsal.yaml",
    "bridle chat --tools tools.ts --mode normal --continue",
    'echo "Where is order A-1001?" | bridle chat agent.yaml',
  ],
  async run(given, cli) {
    const plan = await readChatPlan(given, cli);
    const { openChat } = await import("../../chat/open-chat.ts");
    return openChat(plan, cli);
  },
});
