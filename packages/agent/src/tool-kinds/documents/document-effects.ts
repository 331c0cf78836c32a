import { isOutside, shownAddress } from "@bridle/project";
import type { EffectSummary } from "@bridle/protocol";
import { type DocumentsToolConfig, sourcesOf } from "./documents-config.ts";

/** Lists patterns of files outside of the agent's folder, and a database on a server. Plain paths are checked as for all tools. */
export function documentEffects(
  config: DocumentsToolConfig,
  { baseDir }: { readonly baseDir: string },
): EffectSummary[] {
  const { database } = config;
  const outside = sourcesOf(config).filter((source) => isPattern(source) && isOutside(baseDir, source));
  return [
    ...outside.map((source) => ({ kind: "reads" as const, subject: `documents ${source}, outside of the folder` })),
    ...(typeof database === "object"
      ? [{ kind: "sends" as const, subject: `documents to the database ${shownAddress(database.connection_string)}` }]
      : []),
  ];
}

function isPattern(source: string): boolean {
  return /[*?[\]{}!]/.test(source);
}
