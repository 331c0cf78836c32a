import { z } from "zod";

/** `skills` of an agent's file. */
export const skillsConfig = z
  .array(z.string().min(1))
  .min(1)
  .describe(
    "Folders with a SKILL.md each, or folders of such folders; a path is from the folder of this file. The model is told their names and descriptions, and loads one when it needs it.",
  );

export type SkillsConfig = z.infer<typeof skillsConfig>;
