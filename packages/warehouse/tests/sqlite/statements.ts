import type { Statement } from "../statement-harness.ts";
import { effects } from "./effects.ts";
import { reads } from "./reads.ts";

export const statements: readonly Statement[] = [...reads, ...effects];
