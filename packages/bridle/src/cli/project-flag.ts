import { z } from "zod";
import type { Flag } from "./command.ts";

/** For every command that is about a project. */
export const projectDirFlag = {
  flag: "--project-dir <folder>",
  description: "the folder of bridle.yaml, instead of the nearest upward",
  value: z.string().min(1),
  expected: "a folder",
} satisfies Flag;
