import { join } from "node:path";

/** The folders of Bridle's own code, so that errors name a position in the user's files instead. */
export function ownFolders(packageRoot: string): readonly string[] {
  return ["bin", "src", "dist", "../app/src", "../cli/src"].map((folder) => join(packageRoot, folder, "/"));
}
