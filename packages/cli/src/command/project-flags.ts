import { z } from "zod";
import type { Flag, Flags } from "./command.ts";

const projectDirFlag = {
  flag: "--project-dir <folder>",
  description: "the folder with bridle.yaml (default: the nearest one in this folder or above)",
  value: z.string().min(1),
  expected: "a folder",
} satisfies Flag;

const namespaceFlag = {
  flag: "--namespace <id>",
  description: "use the state and credentials of one server user instead of this environment's",
  value: z.string().min(1),
  expected: "an id",
} satisfies Flag;

/** `main` reads this flag for every command that has it. */
const trustFlag = {
  flag: "--trust",
  description: "trust the folder's files for this command only (see bridle trust)",
  value: z.boolean(),
} satisfies Flag;

/** `main` reads this flag for every command that has it. */
export const envFileFlag = {
  flag: "--no-env-file",
  description: "do not read .env in the project folder",
  value: z.boolean(),
} satisfies Flag;

/** The flags of every command that reads or writes a project's state. */
export const projectFlags = {
  projectDir: projectDirFlag,
  namespace: namespaceFlag,
  trust: trustFlag,
  envFile: envFileFlag,
} satisfies Flags;

/** The flag of commands that can print JSON. */
export const jsonFlag = { flag: "--json", description: "print JSON", value: z.boolean() } satisfies Flag;
