import { defineCommand } from "../cli/command.ts";
export const demoCommand = defineCommand({ description: "", flags: {}, examples: [], run: async () => 0 });
