import { z } from "zod";

/** `skills` in an agent file. */
export const skillsConfig = z
  .array(z.string().min(1))
  .min(1)
  .describe(
    "Folders with a SKILL.md, or folders of such folders. Relative paths start in the folder of this file. The model gets the names and descriptions of the skills, and loads a skill when it needs it.",
  );

export type SkillsConfig = z.infer<typeof skillsConfig>;
